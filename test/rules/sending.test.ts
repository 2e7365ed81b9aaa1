import { afterEach, expect, test, vi } from 'vitest'
import { sendChange } from '../../cli/tasks/sending.ts'

afterEach(() => vi.restoreAllMocks())

test.each([
  ['production', 'SIGINT', 130, 'licet catalog diff --env production\n'],
  [null, 'SIGINT', 130, 'licet catalog diff\n'],
  [null, 'SIGTERM', 143, 'licet catalog diff\n'],
  [null, 'SIGHUP', 129, 'licet catalog diff\n'],
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
