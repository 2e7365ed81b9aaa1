import { standingRefusals } from '../../activations/usage/contract.ts'
import { FeedbackItem, itemContracts, Submission } from '../../feedback/items/contract.ts'
import { listQuery, pageOf } from '../../kit/collection.ts'
import { contract, provision } from '../../kit/contract.ts'

const path = `${provision}/consumer/me/feedback`

export const submitFeedback = contract({
  name: 'consumer.feedback.submit',
  method: 'POST',
  path,
  access: 'anyone',
  eitherToken: ['session', 'user'],
  summary: 'Give feedback',
  description:
    "With the user's token, or with the license token of a session: a device on which nobody is signed in can give feedback too.",
  body: Submission,
  answer: FeedbackItem,
  problems: standingRefusals,
})

export const listOwnFeedback = contract({
  name: 'consumer.feedback.list',
  method: 'GET',
  path,
  access: 'anyone',
  eitherToken: ['session', 'user'],
  summary: 'List the feedback that one gave, with what was decided about it',
  description:
    "With the user's token what the user gave, in any session and without one; with a license token what was given in that session, but for what is another user's.",
  query: listQuery,
  answer: pageOf(FeedbackItem),
  filterable: itemContracts.list.filterable,
  problems: standingRefusals,
})
