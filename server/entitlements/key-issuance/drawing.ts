import { randomInt } from 'node:crypto'
import type { Cause } from '../../kit/outbox.ts'
import { findRecord } from '../../kit/records/store.ts'
import type { EntitlementRow } from '../entitlements/loading.ts'
import { readProducts } from '../offers/items.ts'
import { type KeyIssuancePolicy, keyIssuancePolicyOf } from '../policies/effective.ts'
import { counts, namesProduct, writeKey } from './key-template.ts'
import { takeNumber } from './store.ts'

/** What of an entitlement decides how its keys are written. */
export type KeyedEntitlement = Pick<EntitlementRow, 'id' | 'products' | 'key_issuance_policy'>

/** How the keys of one entitlement are written. */
export interface KeyStyle {
  policy: KeyIssuancePolicy
  /** The code of its first product; undefined where no key needs it. */
  productCode: string | undefined
  /** What its numbers are counted within. */
  scopeKey: string
}

/** The policy of an entitlement's keys: its own, or the default one while that is absent or switched off. */
export function keyPolicyInForce(entitlement: KeyedEntitlement): KeyIssuancePolicy {
  const own = keyIssuancePolicyOf(entitlement)
  return own.enabled ? own : keyIssuancePolicyOf({ key_issuance_policy: null })
}

/**
 * How an entitlement's keys are written: by its policy, or in the default form when that is absent or switched off. A
 * product is its first; undefined when the policy needs one and there is none.
 */
export async function findKeyStyle(
  { tx, tenantId }: Cause,
  entitlement: KeyedEntitlement,
): Promise<KeyStyle | undefined> {
  const policy = keyPolicyInForce(entitlement)
  const countsByProduct = counts(policy) && policy.sequenceScope === 'Product'
  if (!namesProduct(policy) && !countsByProduct)
    return { policy, productCode: undefined, scopeKey: scopeOf(policy, entitlement.id) }
  const [first] = readProducts(entitlement)
  const product = first && (await findRecord(tx, 'products', tenantId, first.productId))
  if (!product) return undefined
  const productCode = product.product_code
  return { policy, productCode, scopeKey: scopeOf(policy, entitlement.id, productCode) }
}

function scopeOf({ sequenceScope }: KeyIssuancePolicy, entitlementId: string, productCode?: string): string {
  if (sequenceScope === 'Tenant') return 'tenant'
  return sequenceScope === 'Product' ? `product/${productCode}` : `entitlement/${entitlementId}`
}

/** Draws a key, with the next number of its sequence where it has one; undefined when the number does not fit any more. */
export async function drawKey(
  { tx, tenantId, now }: Cause,
  { policy, productCode, scopeKey }: KeyStyle,
): Promise<string | undefined> {
  return writeKey(policy, {
    year: new Date(now).getUTCFullYear(),
    productCode,
    sequenceNumber: counts(policy) ? await takeNumber(tx, tenantId, scopeKey, policy.sequenceStart) : undefined,
    drawBelow: randomInt,
  })
}
