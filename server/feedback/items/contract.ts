import { type Static, Type } from 'typebox'
import { NullableCode, NullableText, NullableUuid, OneOf, Text, Uuid } from '../../../catalog-schema/scalars.ts'
import { Closed } from '../../../catalog-schema/shapes.ts'
import { NullableEmail } from '../../access/users/email-address.ts'
import { idParams, listQuery, pageOf } from '../../kit/collection.ts'
import { contract, provision } from '../../kit/contract.ts'
import { Instant, NullId, NullInstant, NullWords } from '../../kit/records/answers.ts'
import { bodyOf } from '../../kit/records/body.ts'
import { feedbackStatuses } from './reviewing.ts'
import { feedbackKinds, itemFilterFields } from './store.ts'

/** An item as it is answered, to who gave it and to who decides on it alike. */
export const FeedbackItem = Closed(
  {
    id: Uuid(),
    kind: OneOf(feedbackKinds, { description: 'What kind of feedback it is.' }),
    text: Type.String({ description: 'What was said.' }),
    productId: NullId('The product that it is about.'),
    featureCode: NullWords('The feature that it is about.'),
    userId: NullId('The user who gave it; null when nobody was signed in.'),
    sessionId: NullId('The license session in which it was given; null without one.'),
    deviceName: NullWords("What that session's device is called."),
    replyTo: NullWords('The address for an answer; null when none was left, nor is any known.'),
    status: OneOf(feedbackStatuses, { description: 'What was decided; New until then.' }),
    reviewedBy: NullWords('Who decided, such as `client:ID`; null while New.'),
    reviewedAt: NullInstant('When; null while New.'),
    note: NullWords('What the reviewer says to who gave it.'),
    duplicateOfId: NullId('The item that says the same; null unless the status is Duplicate.'),
    createdAt: Instant('When it was given.'),
  },
  { description: 'What somebody said of a product, and what was decided about it.' },
)
export type FeedbackItem = Static<typeof FeedbackItem>

/** What somebody says who gives feedback. */
export const Submission = bodyOf(
  {
    kind: OneOf(feedbackKinds, { description: 'What kind of feedback it is.' }),
    text: Text(10_000, { min: 1, description: 'What is said.' }),
    productId: NullableUuid({ description: 'The product that it is about.' }),
    featureCode: NullableCode({ description: 'The feature that it is about; kept as it is said.' }),
    replyTo: NullableEmail(
      "The address for an answer. Without one that of the user, or that of the session's activation, is kept; an empty text leaves none.",
    ),
  },
  ['kind', 'text'],
)
export type Submission = Static<typeof Submission>

const name = 'admin.feedback'
const path = `${provision}/admin/feedback`
const note = NullableText(4000, { description: 'Why, or what comes of it; it is shown to who gave the feedback.' })

export const itemContracts = {
  list: contract({
    name: `${name}.list`,
    method: 'GET',
    path,
    access: 'admin.feedback:read',
    summary: 'List feedback items',
    query: listQuery,
    answer: pageOf(FeedbackItem),
    filterable: itemFilterFields.map(({ name }) => name),
  }),
  get: contract({
    name: `${name}.get`,
    method: 'GET',
    path: `${path}/{id}`,
    access: 'admin.feedback:read',
    summary: 'Read a feedback item',
    params: idParams,
    answer: FeedbackItem,
    problems: ['license.record_not_found'],
  }),
  accept: contract({
    name: `${name}.accept`,
    method: 'POST',
    path: `${path}/{id}/accept`,
    access: 'admin.feedback:update',
    summary: 'Accept a feedback item',
    description: 'An item is decided on once.',
    params: idParams,
    body: bodyOf({ note }),
    answer: FeedbackItem,
    problems: ['license.record_not_found', 'feedback.already_reviewed'],
  }),
  decline: contract({
    name: `${name}.decline`,
    method: 'POST',
    path: `${path}/{id}/decline`,
    access: 'admin.feedback:update',
    summary: 'Decline a feedback item, or mark it as a duplicate',
    description:
      'With duplicateOfId it becomes a Duplicate, else Declined. It cannot be a duplicate of itself, nor of one that is a duplicate itself; what was marked as a duplicate of it before becomes one of the same item as it. An item is decided on once.',
    params: idParams,
    body: bodyOf({ note, duplicateOfId: NullableUuid({ description: 'The item that says the same.' }) }),
    answer: FeedbackItem,
    problems: ['license.record_not_found', 'feedback.already_reviewed', 'feedback.not_an_original'],
  }),
}
