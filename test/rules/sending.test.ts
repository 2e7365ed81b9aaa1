import { afterEach, expect, test, vi } from 'vitest'
import { sendChange } from '../../cli/tasks/sending.ts'

afterEach(() => vi.restoreAllMocks())

test.each([
  ['production', 'licet catalog diff --env production\n'],
  [null, 'licet catalog diff\n'],
])('who interrupts a change on its way to %s is told how to look after it', async (name, command) => {
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never)
  await sendChange({ name }, async () => process.listeners('SIGINT').at(-1)!('SIGINT'))
  expect(written.mock.lastCall?.[0]).toMatch(/^\nInterrupted after the change had been sent/)
  expect(String(written.mock.lastCall?.[0]).split('Look with: ')[1]).toBe(command)
  expect(exit).toHaveBeenCalledWith(130)
})
