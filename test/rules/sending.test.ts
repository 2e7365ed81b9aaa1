import { afterEach, expect, test, vi } from 'vitest'
import { sendChange } from '../../cli/tasks/sending.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

test.each([
  ['production', 'SIGINT', 130, 'licet catalog history --env production\n'],
  [null, 'SIGINT', 130, 'licet catalog history\n'],
  [null, 'SIGTERM', 143, 'licet catalog history\n'],
  [null, 'SIGHUP', 129, 'licet catalog history\n'],
] as const)(
  'who interrupts a change on its way to %s by %s is told how to look after it',
  async (name, signal, exitCode, command) => {
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never)
    await sendChange({ name }, async () => process.listeners(signal).at(-1)!(signal))
    expect(written.mock.lastCall?.[0]).toMatch(/^\nInterrupted after the change had been sent/)
    expect(String(written.mock.lastCall?.[0]).split('Look with: ')[1]).toBe(command)
    expect(exit).toHaveBeenCalledWith(exitCode)
  },
)

test('with --json it is the one document of the run', async () => {
  vi.stubEnv('LICET_JSON', '1')
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  vi.spyOn(process, 'exit').mockReturnValue(undefined as never)
  await sendChange({ name: 'production' }, async () => process.listeners('SIGINT').at(-1)!('SIGINT'))
  expect(JSON.parse(String(written.mock.lastCall?.[0]))).toMatchObject({
    error: {
      codeName: 'cli.failed',
      message: expect.stringMatching(/^Interrupted/),
      hint: 'licet catalog history --env production',
    },
  })
})
