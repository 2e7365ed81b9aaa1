import type { EventData } from '../../vocabulary/event-data.ts'
import type { EventType } from '../../vocabulary/events.ts'

/** An id that is plainly made up. */
const id = (number: number) => `01980000-0000-7000-8000-${String(number).padStart(12, '0')}`

const standing = {
  entitlementId: id(1),
  name: 'Acme CAD, 25 seats',
  version: null,
  status: 'Active',
  subscriptionStatus: 'Active',
  customerId: id(2),
  customerExternalReference: 'crm-4711',
  externalReference: null,
  orderId: 'order-2026-0815',
  planSetId: id(3),
  planName: 'Pro',
  isTrial: false,
  trialEndsAt: null,
  expirationDateTime: '2026-12-31T00:00:00.000Z',
} satisfies EventData['Entitlement.Activated']

const planNamed = (number: number, planName: string) => ({
  planSetId: id(3),
  planSetName: 'Acme CAD',
  planId: id(number),
  planName,
})
const planChange = { ...standing, requestId: id(6), before: planNamed(4, 'Pro'), requestedBy: id(7) }
const crossing = { entitlementId: id(1), monitoredAssetId: id(8), productId: id(9) }
const feedback = {
  feedbackId: id(10),
  kind: 'FeatureRequest' as const,
  productId: id(9),
  featureCode: 'EXPORTS',
  userId: id(7),
  sessionId: id(11),
}
const dataSubjectRequest = { requestId: id(12), kind: 'Erasure' as const, userId: id(7) }

const examples: EventData = {
  'Entitlement.Activated': standing,
  'Entitlement.Expiring': standing,
  'Entitlement.TrialExpiring': {
    ...standing,
    subscriptionStatus: 'Trialing',
    isTrial: true,
    trialEndsAt: '2026-02-14T00:00:00.000Z',
    expirationDateTime: null,
  },
  'Entitlement.Renewed': {
    ...standing,
    periodStart: '2025-12-31T00:00:00.000Z',
    periodEnd: '2026-12-31T00:00:00.000Z',
  },
  'Entitlement.Cancelled': { ...standing, status: 'Cancelled', subscriptionStatus: 'Cancelled' },
  'Entitlement.PlanApplied': {
    ...standing,
    before: planNamed(5, 'Free'),
    after: planNamed(4, 'Pro'),
    attachedProductIds: [id(9)],
  },
  'Entitlement.PlanChangeRequested': { ...planChange, after: planNamed(13, 'Enterprise') },
  'Entitlement.PlanChangeReviewed': {
    ...planChange,
    after: planNamed(13, 'Enterprise'),
    decision: 'Approved',
    isAutomatic: false,
  },
  'Feedback.Submitted': { ...feedback, status: 'New' },
  'Feedback.Reviewed': { ...feedback, status: 'Accepted', reviewedBy: `client:${id(14)}`, duplicateOfId: null },
  'MeteredUsage.OverageStatusChanged': {
    ...crossing,
    metricName: 'exports',
    previousLevel: 'Normal',
    level: 'OverUsage',
    usage: 104.5,
    limit: 100,
    remaining: 0,
    tier: 'Overage',
    periodStart: '2026-02-01T00:00:00.000Z',
    periodEnd: '2026-03-01T00:00:00.000Z',
  },
  'CreditBalance.StatusChanged': {
    ...crossing,
    metricName: 'credits',
    previousLevel: 'Normal',
    level: 'Warning',
    remaining: 48,
    totalCredits: 500,
    band: 'Running low',
  },
  'DataSubjectRequest.Filed': { ...dataSubjectRequest, status: 'Filed' },
  'DataSubjectRequest.Approved': { ...dataSubjectRequest, status: 'Approved' },
  'DataSubjectRequest.Rejected': { ...dataSubjectRequest, status: 'Rejected' },
  'DataSubjectRequest.Completed': { ...dataSubjectRequest, status: 'Completed' },
  'User.Erased': { userId: id(7), requestId: id(12) },
  'Webhooks.Registration.Challenge': {
    challenge: 'Zm9yIHRoZSBzYWtlIG9mIGFuIGV4YW1wbGUsIDMyIGI',
    subscriptionId: id(15),
  },
}

/** The data of an event of this type as they may look. */
export const exampleOf = (type: EventType): Record<string, unknown> => examples[type]
