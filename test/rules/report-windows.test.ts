import { expect, test } from 'vitest'
import { activationsContract } from '../../server/reports/activations/contract.ts'
import { featureValueContract } from '../../server/reports/feature-value/contract.ts'
import { usageContract } from '../../server/reports/usage/contract.ts'

test('a report of metered usage says that its window is one of whole periods, any other that it is one of instants', () => {
  for (const { query } of [usageContract, featureValueContract])
    for (const bound of [query!.properties.from, query!.properties.to])
      expect(bound).toMatchObject({
        description: expect.stringMatching(/^Only the periods of metered usage that begin/),
      })
  expect(activationsContract.query!.properties.from).toMatchObject({ description: expect.stringMatching(/happened/) })
})
