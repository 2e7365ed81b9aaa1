import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type Interruption, interruptions } from '../../cli/interruptions.ts'
import { sendChange } from '../../cli/tasks/sending.ts'
import { issueToken, type StandIn, standIn, standInSecret } from './tenant-stand-in.ts'

let server: StandIn
let onTokenAsked = () => {}

beforeAll(async () => {
  server = await standIn({
    'POST /auth/connect/token': (asked, out) => {
      onTokenAsked()
      issueToken(asked, out)
    },
  })
})
afterAll(() => server.close())
afterEach(() => {
  onTokenAsked = () => {}
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

const environment = (name: string | null) => ({
  ...{ name, url: server.url, clientId: 'cli ent:1', clientSecret: standInSecret, protected: false },
})
const interrupt = async (signal: Interruption) => process.listeners(signal).at(-1)!(signal)

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
    await sendChange(environment(name), () => interrupt(signal))
    expect(written.mock.lastCall?.[0]).toMatch(/^\nInterrupted after the change had been sent/)
    expect(String(written.mock.lastCall?.[0]).split('Look with: ')[1]).toBe(command)
    expect(exit).toHaveBeenCalledWith(exitCode)
  },
)

test('who interrupts while the token is asked for is told that nothing was sent', async () => {
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never)
  onTokenAsked = () => void interrupt('SIGTERM')
  await sendChange(environment('production'), async () => {})
  expect(written).toHaveBeenCalledExactlyOnceWith('\nInterrupted before the change was sent: nothing has changed.\n')
  expect(exit).toHaveBeenCalledWith(143)
})

test('with --json it is the one document of the run', async () => {
  vi.stubEnv('LICET_JSON', '1')
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  vi.spyOn(process, 'exit').mockReturnValue(undefined as never)
  await sendChange(environment('production'), () => interrupt('SIGINT'))
  expect(JSON.parse(String(written.mock.lastCall?.[0]))).toMatchObject({
    error: {
      codeName: 'cli.failed',
      message: expect.stringMatching(/^Interrupted/),
      hint: 'licet catalog history --env production',
    },
  })
})

test('afterwards nothing of it is left', async () => {
  const before = interruptions.map((signal) => process.listenerCount(signal))
  await expect(
    sendChange(environment('production'), async () => {
      throw new Error('refused')
    }),
  ).rejects.toThrow('refused')
  expect(interruptions.map((signal) => process.listenerCount(signal))).toEqual(before)
})
