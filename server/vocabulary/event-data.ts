import type { Static, TObject } from 'typebox'
import {
  EntitlementData,
  PlanAppliedData,
  PlanChangeRequestedData,
  PlanChangeReviewedData,
  RenewedData,
} from './event-data-entitlement.ts'
import { EventObject, Id, Words } from './event-data-fields.ts'
import { BalanceStatusChangedData, OverageStatusChangedData } from './event-data-metering.ts'
import {
  dataSubjectRequestIn,
  FeedbackReviewedData,
  FeedbackSubmittedData,
  UserErasedData,
} from './event-data-people.ts'
import type { EventType } from './events.ts'

/** What the data of an event hold, by its type. */
export const eventData = {
  'Entitlement.Activated': EntitlementData,
  'Entitlement.Expiring': EntitlementData,
  'Entitlement.TrialExpiring': EntitlementData,
  'Entitlement.Renewed': RenewedData,
  'Entitlement.Cancelled': EntitlementData,
  'Entitlement.PlanApplied': PlanAppliedData,
  'Entitlement.PlanChangeRequested': PlanChangeRequestedData,
  'Entitlement.PlanChangeReviewed': PlanChangeReviewedData,
  'Feedback.Submitted': FeedbackSubmittedData,
  'Feedback.Reviewed': FeedbackReviewedData,
  'MeteredUsage.OverageStatusChanged': OverageStatusChangedData,
  'CreditBalance.StatusChanged': BalanceStatusChangedData,
  'DataSubjectRequest.Filed': dataSubjectRequestIn('Filed'),
  'DataSubjectRequest.Approved': dataSubjectRequestIn('Approved'),
  'DataSubjectRequest.Rejected': dataSubjectRequestIn('Rejected'),
  'DataSubjectRequest.Completed': dataSubjectRequestIn('Completed'),
  'User.Erased': UserErasedData,
  'Webhooks.Registration.Challenge': EventObject({
    challenge: Words('What the endpoint answers in a field of the same name.'),
    subscriptionId: Id('The id of the subscription that is verified.'),
  }),
} as const satisfies Record<EventType, TObject>

export type EventData = { [T in EventType]: Static<(typeof eventData)[T]> }
