/** Every event there is, by type: the kind of record it is about, the version of its data, and when it fires. */
export const events = {
  'Entitlement.Activated': ['entitlement', 1, 'An entitlement becomes Active.'],
  'Entitlement.Expiring': ['entitlement', 1, 'An entitlement approaches its end.'],
  'Entitlement.TrialExpiring': ['entitlement', 1, 'A trial approaches its end.'],
  'Entitlement.Renewed': ['entitlement', 1, 'A subscription period is renewed.'],
  'Entitlement.Cancelled': ['entitlement', 1, 'An entitlement is cancelled.'],
  'Entitlement.PlanApplied': ['entitlement', 1, 'A plan is applied or changed.'],
  'Entitlement.PlanChangeRequested': ['entitlement', 1, "A customer's plan-change request awaits approval."],
  'Entitlement.PlanChangeReviewed': [
    'entitlement',
    1,
    'A plan-change request is approved, by itself too, or rejected.',
  ],
  'Feedback.Submitted': ['feedback', 1, 'An end user submits feedback.'],
  'Feedback.Reviewed': ['feedback', 1, 'The vendor accepts or declines a feedback item, or marks it as a duplicate.'],
  'MeteredUsage.OverageStatusChanged': ['monitored-asset', 1, 'Metered usage crosses into a tier of another level.'],
  'CreditBalance.StatusChanged': [
    'monitored-asset',
    1,
    'A credit balance crosses into a band of another level, or is used up.',
  ],
  'DataSubjectRequest.Filed': ['data-subject-request', 1, 'A data-subject request is filed.'],
  'DataSubjectRequest.Approved': ['data-subject-request', 1, 'A data-subject request is approved.'],
  'DataSubjectRequest.Rejected': ['data-subject-request', 1, 'A data-subject request is rejected.'],
  'DataSubjectRequest.Completed': ['data-subject-request', 1, 'A data-subject request is completed.'],
  'User.Erased': ['user', 1, 'A user is erased.'],
  'Webhooks.Registration.Challenge': ['webhook-subscription', 1, 'A new subscription is verified; sent to it alone.'],
} as const satisfies Record<string, readonly [entityKind: string, version: number, when: string]>

export type EventType = keyof typeof events
