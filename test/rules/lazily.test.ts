import { expect, test } from 'vitest'
import { lazily } from '../../server/kit/lazily.ts'

test('what is brought once is there for all who ask, and before the first nothing is held', async () => {
  let times = 0
  const lazy = lazily(async () => ++times)
  expect(await lazy.held()).toBeUndefined()
  expect(await Promise.all([lazy.get(), lazy.get(), lazy.held()])).toEqual([1, 1, 1])
  expect([await lazy.get(), await lazy.held(), times]).toEqual([1, 1, 1])
})

test('what could not be brought is brought for the next who asks', async () => {
  let times = 0
  const lazy = lazily(async () => {
    times++
    if (times === 1) throw new Error('too many open files')
    return times
  })
  const asked = [lazy.get(), lazy.get()]
  expect(await lazy.held()).toBeUndefined()
  for (const one of asked) await expect(one).rejects.toThrow('too many open files')
  expect(await lazy.held()).toBeUndefined()
  expect([await lazy.get(), await lazy.get(), await lazy.held()]).toEqual([2, 2, 2])
})
