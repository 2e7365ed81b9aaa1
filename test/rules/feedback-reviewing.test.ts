import { expect, test } from 'vitest'
import { type Decision, feedbackStatuses, planReview } from '../../server/feedback/items/reviewing.ts'

type Status = (typeof feedbackStatuses)[number]
const item = (status: Status, id = 'item') => ({ id, status })
const duplicateOf = (status: Status, id = 'other'): Decision => ({ duplicateOf: { id, status } })
const refusal = (name: string) => ({ refused: `feedback.${name}`, why: expect.any(String) })

test.each<[string, Decision, unknown]>([
  ['accepted', 'Accept', { status: 'Accepted' }],
  ['declined', 'Decline', { status: 'Declined' }],
  ['a duplicate of a new one', duplicateOf('New'), { status: 'Duplicate' }],
  ['a duplicate of an accepted one', duplicateOf('Accepted'), { status: 'Duplicate' }],
  ['a duplicate of a declined one', duplicateOf('Declined'), { status: 'Duplicate' }],
  ['no duplicate of a duplicate', duplicateOf('Duplicate'), refusal('not_an_original')],
  ['no duplicate of itself', duplicateOf('New', 'item'), refusal('not_an_original')],
])('a new item is %s', (_words, decision, plan) => {
  expect(planReview(item('New'), decision)).toEqual(plan)
})

test.each(feedbackStatuses.filter((status) => status !== 'New'))(
  'an item that is %s is decided on no more',
  (status) => {
    for (const decision of ['Accept', 'Decline', duplicateOf('New'), duplicateOf(status, 'item')] as const)
      expect(planReview(item(status), decision)).toEqual(refusal('already_reviewed'))
  },
)
