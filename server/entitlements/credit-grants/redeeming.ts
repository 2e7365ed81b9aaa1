import { readStored, wireNumber } from '../../kit/decimal.ts'
import { toInstant } from '../../kit/instants.ts'
import type { Cause } from '../../kit/outbox.ts'
import { Problem } from '../../kit/problem.ts'
import type { Sealer } from '../../kit/sealing.ts'
import { moveCredits } from '../../metering/balances/moving.ts'
import { findRefusals } from '../life/standings.ts'
import { listAssigned } from '../principals/assignments.ts'
import { codeKeyOf } from './code.ts'
import { statusOf } from './status.ts'
import { type GrantRow, lockGrantByKey, recordRedemption } from './store.ts'

/**
 * Adds the credits of the grant that a code is of, once, for a user to whom its entitlement is assigned; undefined when
 * there is no such grant, or none for this user. Throws usage.grant_not_open for one that is redeemed or expired, why the
 * entitlement may not be used, and usage.metric_not_found when it has lost the balance.
 */
export async function redeemGrant(cause: Cause & { sealer: Sealer }, by: { userId: string; code: string }) {
  const { tx, tenantId, now, sealer } = cause
  const grant = await lockGrantByKey(tx, tenantId, codeKeyOf(sealer, tenantId, by.code))
  if (!grant || !(await listAssigned(tx, tenantId, by.userId)).includes(grant.entitlement_id)) return undefined
  await requireRedeemable(cause, grant)
  const amount = readStored(grant.amount)
  const { after: balance } = await moveCredits(cause, grant.entitlement_id, {
    metric: grant.metric_name,
    kind: 'Grant',
    amount,
    reference: grant.id,
  })
  await recordRedemption(tx, grant, { now, userId: by.userId })
  return {
    grantId: grant.id,
    entitlementId: grant.entitlement_id,
    metric: grant.metric_name,
    amount: wireNumber(amount),
    redeemedAt: toInstant(now),
    balance,
  }
}

async function requireRedeemable({ tx, tenantId, now }: Cause, grant: GrantRow): Promise<void> {
  const status = statusOf(grant, now)
  if (status !== 'Open') {
    const why = status === 'Redeemed' ? 'The grant was redeemed already.' : 'The grant has expired.'
    throw new Problem('usage.grant_not_open', why)
  }
  const refusal = (await findRefusals(tx, tenantId, [grant.entitlement_id], now)).get(grant.entitlement_id)
  if (refusal) throw new Problem(refusal, 'The entitlement that the grant is for may not be used now.')
}
