import { Among, EventObject, Id, NullId, NullWords, Words } from './event-data-fields.ts'

// What people wrote, and who they are beside an id, is in no event: it would outlive their erasure at its receivers.

const feedback = {
  feedbackId: Id('The id of the feedback item.'),
  kind: Among(['FeatureRequest', 'ProblemReport', 'GeneralComment'], 'What kind of feedback it is.'),
  productId: NullId('The id of the product that it is about.'),
  featureCode: NullWords('The code of the feature that it is about.'),
  userId: NullId('The id of the user who gave it; null when nobody was signed in.'),
  sessionId: NullId('The id of the license session in which it was given.'),
}

export const FeedbackSubmittedData = EventObject({ ...feedback, status: Among(['New'], 'Where the item stands.') })

export const FeedbackReviewedData = EventObject({
  ...feedback,
  status: Among(['Accepted', 'Declined', 'Duplicate'], 'What was decided.'),
  reviewedBy: Words('Who decided, such as `client:ID`.'),
  duplicateOfId: NullId('The id of the feedback item that it is a duplicate of; null unless it is one.'),
})

/** The data of an event that brings a data-subject request to this status. */
export const dataSubjectRequestIn = <const S extends string>(status: S) =>
  EventObject({
    requestId: Id('The id of the data-subject request.'),
    kind: Among(['Access', 'Erasure', 'Rectification'], 'What is asked for.'),
    status: Among([status], 'Where the request stands.'),
    userId: Id('The id of the user whose data it is about.'),
  })

export const UserErasedData = EventObject({
  userId: Id('The id of the user, under whom nothing is kept any more.'),
  requestId: NullId('The id of the data-subject request that led to it; null when there was none.'),
})
