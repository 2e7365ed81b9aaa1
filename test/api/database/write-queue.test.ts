import { describe, expect, test } from 'vitest'
import { WriteQueue } from '../../../server/database/write-queue.ts'

describe('the line that all writes of a SQLite file stand in', () => {
  const queue = new WriteQueue()
  const pause = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

  test('one that stands alone has the writer until it is done', async () => {
    const seen: string[] = []
    const slow = queue.alone(async () => {
      seen.push('slow begins')
      await pause(20)
      seen.push('slow ends')
    })
    const quick = queue.alone(async () => void seen.push('quick'))
    await Promise.all([slow, quick])
    expect(seen).toEqual(['slow begins', 'slow ends', 'quick'])
  })

  test('one that fails holds nobody up', async () => {
    const failing = queue.alone(async () => {
      throw new Error('mine')
    })
    const next = queue.alone(async () => 'done')
    await expect(failing).rejects.toThrow('mine')
    expect(await next).toBe('done')
  })
})
