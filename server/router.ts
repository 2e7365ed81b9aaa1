import { accessProcedures } from './access/router.ts'
import { activationProcedures } from './activations/router.ts'
import { catalogProcedures } from './catalog/router.ts'
import { entitlementProcedures, operationalEntitlementProcedures } from './entitlements/router.ts'
import { feedbackProcedures } from './feedback/router.ts'
import { router } from './kit/procedure.ts'
import { ownActivationCodes } from './portal/activation-codes/procedures.ts'
import { ownCreditGrants } from './portal/credit-grants/procedures.ts'
import { ownFeedback } from './portal/feedback/procedures.ts'
import { ownPlanChangeRequests } from './portal/plan-change-requests/procedures.ts'
import { plansOfOwnEntitlement, plansOfOwnSession } from './portal/plans/procedures.ts'
import { ownRatings } from './portal/ratings/procedures.ts'
import { ownSessions } from './portal/sessions/procedures.ts'
import { privacyProcedures } from './privacy/router.ts'
import { reportProcedures } from './reports/router.ts'
import { snapshotProcedures } from './snapshot/procedures.ts'
import { webhookProcedures } from './webhooks/router.ts'

/** The table of contents: every operation, by audience and resource. */
export const appRouter = router({
  discovery: router(accessProcedures.discovery),
  scopes: router(accessProcedures.scopes),
  admin: router({
    ...accessProcedures.admin,
    ...catalogProcedures,
    ...entitlementProcedures,
    ...activationProcedures.admin,
    ...feedbackProcedures.admin,
    ...privacyProcedures.admin,
    monitoredAssets: { ...catalogProcedures.monitoredAssets, ...activationProcedures.monitoredAssets },
    catalog: snapshotProcedures,
    reports: reportProcedures,
  }),
  activations: router(activationProcedures.activations),
  usage: router({
    ...activationProcedures.usage,
    sessions: { ...activationProcedures.usage.sessions, ...feedbackProcedures.sessions },
  }),
  registrations: router(activationProcedures.registrations),
  consumer: router({
    sessions: { ...ownSessions, plans: plansOfOwnSession },
    ...privacyProcedures.consumer,
    creditGrants: ownCreditGrants,
    feedback: ownFeedback,
    ratings: ownRatings,
    entitlements: { plans: plansOfOwnEntitlement, planChangeRequests: ownPlanChangeRequests },
    activationCodes: ownActivationCodes,
  }),
  operational: router({
    ...accessProcedures.operational,
    ...operationalEntitlementProcedures,
    ...activationProcedures.operational,
  }),
  webhooks: router(webhookProcedures),
})

export type AppRouter = typeof appRouter
