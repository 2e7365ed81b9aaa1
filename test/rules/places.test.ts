import { expect, test } from 'vitest'
import { Places } from '../../server/kit/places.ts'

/** Work that goes on until it is told to end. */
function workOf(log: string[], name: string) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const work = async () => {
    log.push(name)
    await promise
  }
  return { work, end: resolve }
}

const turn = () => new Promise(setImmediate)

test('so many work at a time, and whoever waits has the next place in the order in which they came', async () => {
  const places = new Places(2)
  const log: string[] = []
  const [one, two, three, four] = ['one', 'two', 'three', 'four'].map((name) => workOf(log, name))
  const all = [one, two, three, four].map((each) => places.use(each!.work))
  await turn()
  expect([log, places.waiting]).toEqual([['one', 'two'], 2])
  two!.end()
  await turn()
  expect([log, places.waiting]).toEqual([['one', 'two', 'three'], 1])
  for (const each of [one, three, four]) each!.end()
  await Promise.all(all)
  expect(log).toEqual(['one', 'two', 'three', 'four'])
})

test('work that fails gives its place back', async () => {
  const places = new Places(1)
  await expect(places.use(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  expect(await places.use(async () => 'done')).toBe('done')
})

test('who waits can be turned away, and nobody else', async () => {
  const places = new Places(1)
  await places.take()
  const waiting = [places.take(), places.take()]
  places.turnAway(new Error('away'))
  for (const one of waiting) await expect(one).rejects.toThrow('away')
  expect(places.waiting).toBe(0)
  places.giveBack()
  await places.take()
})
