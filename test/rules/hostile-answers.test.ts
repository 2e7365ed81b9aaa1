import { expect, test } from 'vitest'
import { refusal } from '../../cli/server-connection/refusals.ts'
import { splitUnit } from '../../cli/tasks/convert/periods.ts'
import { expectGrowthBelow } from '../support/growth.ts'

const expectHundredfoldBelow = (limit: number, work: (length: number) => void) =>
  expectGrowthBelow(
    limit,
    () => work(5000),
    () => work(500_000),
  )

test('what a proxy answers is cut before it is looked at', () => {
  const refuse = (length: number) =>
    refusal(
      {
        ...{ status: 502, statusText: 'Bad Gateway', hasBody: true, isOfAsking: true },
        headers: new Map([['content-type', 'text/html']]),
        bytes: Buffer.from('<'.repeat(length)),
      },
      'licet.example',
    )
  expect(refuse(10).message).toContain('502')
  expectHundredfoldBelow(1000, refuse)
})

test.each([' ', ',', 'per ', '/'])('a unit that is a long run of %j has no period, and is no work', (piece) => {
  const split = (length: number) => splitUnit(`call${piece.repeat(length / piece.length)}x`)
  expect(split(5000).period).toBeUndefined()
  expectHundredfoldBelow(1000, split)
})
