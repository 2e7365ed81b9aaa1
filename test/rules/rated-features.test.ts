import { expect, test } from 'vitest'
import { ratedBy, type SaidAbout } from '../../server/feedback/ratings/rated-feature.ts'
import { Problem } from '../../server/kit/problem.ts'

const features = ['A', 'B'].map((code) => ({ productId: 'cad', featureCode: code, featureId: code.toLowerCase() }))

function pointedOutIn(said: SaidAbout) {
  try {
    return ratedBy(said, { productIds: ['cad'], features }).featureCode
  } catch (error) {
    return error instanceof Problem && error.extensions.errors
  }
}

const none = 'the session licenses no such feature'
test.each([
  [{ featureId: 'a' }, 'A'],
  [{ featureId: 'a', featureCode: 'A' }, 'A'],
  [
    { featureId: 'a', featureCode: 'B' },
    [{ pointer: '/featureId', message: 'names another feature than featureCode does' }],
  ],
  [{ featureId: 'x', featureCode: 'B' }, [{ pointer: '/featureId', message: none }]],
  [{ featureId: 'a', featureCode: 'X' }, [{ pointer: '/featureCode', message: none }]],
])('a rating of %j', (said, outcome) => {
  expect(pointedOutIn(said)).toEqual(outcome)
})
