import { Type } from 'typebox'
import { entitlementStatuses, subscriptionStatuses } from '../../catalog-schema/enumerations.ts'
import { Among, EventObject, Id, NullId, NullInstant, NullWords, Words, YesNo } from './event-data-fields.ts'

/** What every event of an entitlement tells of it, as it stands after what happened. */
const standing = {
  entitlementId: Id('The id of the entitlement.'),
  name: NullWords('The name of the entitlement.'),
  version: NullWords('The version of the entitlement.'),
  status: Among(entitlementStatuses, 'The status of the entitlement.'),
  subscriptionStatus: Among(subscriptionStatuses, 'What its status and its trial make of the subscription.'),
  customerId: NullId('The id of the customer it belongs to.'),
  customerExternalReference: NullWords("The customer in the vendor's own systems."),
  externalReference: NullWords("The entitlement in the vendor's own systems."),
  orderId: NullWords('The order it was sold by.'),
  planSetId: NullId('The id of the plan set of its plan.'),
  planName: NullWords('The name of its plan.'),
  isTrial: YesNo('Whether it is a trial.'),
  trialEndsAt: NullInstant('When its trial ends; null when it is no trial, or the trial has not begun.'),
  expirationDateTime: NullInstant('When it ends, or its period does; null without an end.'),
}

const NamedPlan = {
  planSetId: Id('The id of the plan set.'),
  planSetName: Words('The name of the plan set.'),
  planId: Id('The id of the plan.'),
  planName: Words('The name of the plan.'),
}
const Plan = (description: string) => Type.Object(NamedPlan, { description })
const NullPlan = (description: string) =>
  Type.Unsafe<Type.Static<ReturnType<typeof Plan>> | null>({ ...Plan(description), type: ['object', 'null'] })

/** What a request for another plan is about. */
const planChange = {
  ...standing,
  requestId: Id('The id of the request, by which it is approved or rejected.'),
  before: NullPlan('The plan that the entitlement was on when it was asked for another.'),
  after: Plan('The plan that is asked for.'),
  requestedBy: NullId('The id of the user who asked.'),
}

export const EntitlementData = EventObject(standing)

export const RenewedData = EventObject({
  ...standing,
  periodStart: Type.Unsafe<string>({ type: 'string', format: 'date-time', description: 'When the new period begins.' }),
  periodEnd: NullInstant('When the new period ends; null when it does not.'),
})

export const PlanAppliedData = EventObject({
  ...standing,
  before: NullPlan('The plan before; null when there was none.'),
  after: Plan('The plan from now on.'),
  attachedProductIds: Type.Array(Id('The id of a product.'), {
    description: 'The products that came with the plan: it includes them, and the entitlement had them not.',
  }),
})

export const PlanChangeRequestedData = EventObject(planChange)

export const PlanChangeReviewedData = EventObject({
  ...planChange,
  decision: Among(['Approved', 'Rejected'], 'What was decided.'),
  isAutomatic: YesNo("Whether it was approved by itself, as the entitlement's renewal policy has it."),
})
