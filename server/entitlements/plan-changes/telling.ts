import type { Happening } from '../../kit/outbox.ts'
import type { EntitlementRow } from '../entitlements/loading.ts'
import { standingData } from '../life/telling.ts'
import type { PlanChangeRow } from './store.ts'
import { readPlanBefore, readWantedPlan } from './wire.ts'

/** That a request for another plan awaits approval; what people wrote is not told. */
export const tellRequested = (entitlement: EntitlementRow, request: PlanChangeRow): Happening => ({
  type: 'Entitlement.PlanChangeRequested',
  entityId: entitlement.id,
  data: dataOf(entitlement, request),
})

/** That a request was decided, of the entitlement as it is after that; nobody is named who decided when it was approved by itself. */
export const tellReviewed = (
  entitlement: EntitlementRow,
  request: PlanChangeRow & { status: 'Approved' | 'Rejected' },
): Happening => ({
  type: 'Entitlement.PlanChangeReviewed',
  entityId: entitlement.id,
  data: {
    ...dataOf(entitlement, request),
    decision: request.status,
    isAutomatic: request.reviewed_by === null,
  },
})

const dataOf = (entitlement: EntitlementRow, request: PlanChangeRow) => ({
  ...standingData(entitlement),
  requestId: request.id,
  before: readPlanBefore(request),
  after: readWantedPlan(request),
  requestedBy: request.user_id,
})
