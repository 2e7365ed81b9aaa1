import { recordId as id } from './invocations.ts'
import { soundWebhooks } from './sound-webhooks.ts'
import { json, type standIn } from './tenant-stand-in.ts'

const createdAt = '2026-01-01T00:00:00Z'
const leaseExpiration = '2026-01-08T00:00:00Z'

const entitlement = {
  ...{ id, name: 'Sold', version: '1', status: 'Active', subscriptionStatus: 'Active', createdAt },
  ...{ customerId: id, customerContactEmail: null, customerContactName: null, orderId: 'O-1', licenseKey: null },
  ...{ reference: null, externalReference: null, notValidBeforeDateTime: null, expirationDateTime: null },
  ...{ isEntitlementTrial: false, trialEndsAt: null, licensePolicy: null, renewalPolicy: null },
  ...{ assignedPlanName: 'Team', addOns: [], products: [{ productCode: 'A', productVersion: null }] },
  features: [{ featureCode: 'SEATS', value: '5', isEnabled: true, featureExpiration: null }],
}
const session = {
  ...{ id, entitlementId: id, fingerprint: 'f'.repeat(64), deviceName: 'Laptop', applicationInstanceId: null },
  ...{ isValidSession: false, isRevoked: false, revokeReason: null, releasedAt: null, isOffline: true, email: null },
  ...{ lastAccessTime: createdAt, leaseExpiration, activationCode: 'CANARY-CODE-1234' },
}
const code = {
  ...{ id, entitlementId: id, activationCode: 'CANARY-CODE-1234', status: 'Active', usedActivations: 1 },
  ...{ maxDeviceActivations: 3, useEntitlementMaxActivations: false, expirationTimeStamp: createdAt, email: null },
}
const customer = { id, name: 'Acme', email: null }
const user = {
  ...{ id, email: 'anna@acme.example', displayName: 'Anna', emailVerified: true, isDisabled: false },
  ...{ externalReference: null, issuer: null, createdAt },
}
const auditEntry = {
  ...{ id, occurredAt: createdAt, actor: `client:${id}`, operation: 'admin.customers.update', correlationId: id },
  ...{ recordKind: 'customers', recordId: id, before: { '/name': 'Ada' }, after: { '/name': 'Acme' } },
}
const pageOf = (item: unknown) => ({ items: [item], totalCount: 1, hasNextPage: false })

const queries: Record<string, unknown> = {
  'audit.get': auditEntry,
  'audit.list': pageOf(auditEntry),
  'customers.list': pageOf(customer),
  'entitlements.activationCodes.list': pageOf(code),
  'entitlements.get': entitlement,
  'entitlements.list': pageOf(entitlement),
  'sessions.get': session,
  'sessions.list': pageOf(session),
  'sessions.listByUser': pageOf(session),
  'users.get': user,
  'users.list': pageOf(user),
}
const soundRevenue = {
  ...{ asOf: createdAt, currencies: [], products: [], plans: [], weightedPlans: [], unpricedPlans: [], withoutPlan: 0 },
}
const assignment = { entitlementId: id, userId: id, assignedAt: createdAt }
const deeds: Record<string, unknown> = {
  ...Object.fromEntries(
    ['activate', 'cancel', 'renew', 'restartTrial', 'resume', 'suspend'].map((step) => [
      `entitlements.${step}`,
      entitlement,
    ]),
  ),
  'entitlements.activationCodes.delete': null,
  'entitlements.activationCodes.issue': code,
  'entitlements.activationCodes.revoke': code,
  'entitlements.principals.assign': assignment,
  'entitlements.principals.remove': null,
  'offers.fromOffer': { entitlement, activationWorkflow: null, activationCode: null },
  'sessions.release': session,
  'sessions.revoke': session,
  'sessions.unblockDevice': session,
  'users.create': user,
}

const routesOf = (method: string, room: string, answers: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(answers).map(([name, data]) => [
      `${method} /trpc/${room}.${name}`,
      ((_, out) => json(out, 200, { result: { data } })) satisfies Parameters<typeof standIn>[0][string],
    ]),
  )

/** The answers of a tenant that has one record of each kind. */
export const recordRoutes: Parameters<typeof standIn>[0] = {
  ...routesOf('GET', 'admin', queries),
  ...routesOf('POST', 'admin', deeds),
  ...routesOf('GET', 'webhooks', soundWebhooks.queries),
  ...routesOf('POST', 'webhooks', soundWebhooks.deeds),
  'GET /api/v1/provision/admin/reports/revenue': (_, out) => json(out, 200, soundRevenue),
  'GET /api/v1/webhooks/schemas': (_, out) => json(out, 200, soundWebhooks.schemas),
}
