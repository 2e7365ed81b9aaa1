import { describe, expect, test } from 'vitest'
import { gathering } from '../../server/kit/gathering.ts'
import { prefersJson } from '../../server/kit/rest/accept.ts'

describe('gathering', () => {
  test('what arrives together is done together, what arrives meanwhile next, each answered its own', async () => {
    const batches: number[][] = []
    const gather = gathering(1, async (numbers: readonly number[]) => {
      batches.push([...numbers])
      await new Promise((resolve) => setTimeout(resolve, 20))
      return numbers.map((number) => number * 2)
    })
    const first = [1, 2, 3].map(gather)
    await new Promise((resolve) => setTimeout(resolve, 5))
    const second = [4, 5].map(gather)
    expect(await Promise.all([...first, ...second])).toEqual([2, 4, 6, 8, 10])
    expect(batches).toEqual([
      [1, 2, 3],
      [4, 5],
    ])
    expect(await gather(6)).toBe(12)
  })

  test('only the one at fault fails', async () => {
    const gather = gathering(1, async (numbers: readonly number[]) => {
      if (numbers.includes(2)) throw new Error('two')
      return [...numbers]
    })
    const answers = await Promise.allSettled([1, 2, 3].map(gather))
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await gather(4)).toBe(4)
  })

  test.each([
    ['is away', 'ECONNREFUSED'],
    ['meets one deadlock after another', '40P01'],
  ])('all fail at once when the database %s', async (_why, code) => {
    let tries = 0
    const gather = gathering(1, async (): Promise<number[]> => {
      tries++
      throw Object.assign(new Error('gone'), { code })
    })
    const answers = await Promise.allSettled([1, 2, 3].map(gather))
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(tries).toBe(1)
  })

  test('as many batches are done at once as there are lanes', async () => {
    let most = 0
    let now = 0
    const gather = gathering(2, async (numbers: readonly number[]) => {
      most = Math.max(most, ++now)
      await new Promise((resolve) => setTimeout(resolve, 5))
      now--
      return [...numbers]
    })
    const answers = await Promise.all(Array.from({ length: 1000 }, (_, number) => gather(number)))
    expect([most, answers]).toEqual([2, Array.from({ length: 1000 }, (_, number) => number)])
  })

  test('no batch is larger than 256', async () => {
    const sizes: number[] = []
    const gather = gathering(1, async (numbers: readonly number[]) => {
      sizes.push(numbers.length)
      return [...numbers]
    })
    await Promise.all(Array.from({ length: 600 }, (_, number) => gather(number)))
    expect(sizes).toEqual([256, 256, 88])
  })
})

test.each([
  [undefined, false],
  ['', false],
  ['*/*', false],
  ['application/*', false],
  ['application/jwt', false],
  ['application/json', true],
  ['Application/JSON; charset=utf-8', true],
  ['application/json;q=0', false],
  ['application/json, application/jwt', false],
  ['application/json, application/jwt;q=0.9', true],
  ['application/json;q=0.1, */*', true],
  ['application/json;q=x', false],
])('Accept: %s prefers JSON: %s', (accept, prefers) => {
  expect(prefersJson(accept, 'application/jwt')).toBe(prefers)
})
