import { join } from 'node:path'
import { execa } from 'execa'
import { expect, test } from 'vitest'

/** Tells how many MB of what is new fit between two collections: under load, then when V8 has made it small, then under load again. */
const script = (smallHeap: string) => `
import { setTimeout as sleep } from 'node:timers/promises'
import { getHeapSpaceStatistics } from 'node:v8'
import { keepHeapSmall } from ${JSON.stringify(smallHeap)}

const space = () => getHeapSpaceStatistics().find((one) => one.space_name === 'new_space')
const tell = () => console.log(Math.ceil((space().space_used_size + space().space_available_size) / 2 ** 20))
async function work() {
  const kept = []
  for (let turn = 0; turn < 200; turn++) {
    for (let count = 0; count < 10_000; count++) kept.push({ count })
    await sleep(0)
  }
}

keepHeapSmall()
await work()
tell()
for (let turn = 0; turn < 50 && space().space_size > 2 ** 21; turn++) {
  await sleep(100)
  gc()
}
tell()
await work()
tell()
`

test('a server is given back the space that a quiet time has taken, and no more', async () => {
  const smallHeap = join(import.meta.dirname, '../../cli/tasks/small-heap.ts')
  const { stdout } = await execa(process.execPath, ['--expose-gc', '--input-type=module', '-e', script(smallHeap)])
  const [busy, quiet, busyAgain] = stdout.split('\n').map(Number)
  expect(busy).toBe(8)
  expect(quiet).toBeLessThan(4)
  // V8 doubles what it has made small, which is no power of two where something was alive: to 6 MB at least, so to less than 12.
  expect(busyAgain).toBeGreaterThanOrEqual(6)
  expect(busyAgain).toBeLessThanOrEqual(12)
})
