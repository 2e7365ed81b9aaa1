export const feedbackStatuses = ['New', 'Accepted', 'Declined', 'Duplicate'] as const
type FeedbackStatus = (typeof feedbackStatuses)[number]
type ReviewedStatus = Exclude<FeedbackStatus, 'New'>

interface ReviewableItem {
  id: string
  status: FeedbackStatus
}

/** What a reviewer decides: yes, no, or that another item says the same. */
export type Decision = 'Accept' | 'Decline' | { duplicateOf: ReviewableItem }

/**
 * The status that a decision leads to, or why it may not be: an item is decided on once, and is a duplicate only of another
 * one that is no duplicate itself.
 */
export function planReview(
  item: ReviewableItem,
  decision: Decision,
): { status: ReviewedStatus } | { refused: 'feedback.already_reviewed' | 'feedback.not_an_original'; why: string } {
  if (item.status !== 'New') return { refused: 'feedback.already_reviewed', why: `The item is ${item.status} already.` }
  if (decision === 'Accept') return { status: 'Accepted' }
  if (decision === 'Decline') return { status: 'Declined' }
  const original = decision.duplicateOf
  if (original.id === item.id) return { refused: 'feedback.not_an_original', why: 'An item is no duplicate of itself.' }
  if (original.status === 'Duplicate')
    return {
      refused: 'feedback.not_an_original',
      why: 'The other item is a duplicate itself: name the one that it is a duplicate of.',
    }
  return { status: 'Duplicate' }
}
