import { licensedProductIds } from '../../entitlements/entitlements/licensed-products.ts'
import type { EntitlementRow } from '../../entitlements/entitlements/loading.ts'
import { readFeatures } from '../../entitlements/entitlements/stored.ts'
import {
  type ActivationPolicy,
  activationPolicyOf,
  type LicensePolicy,
  licensePolicyOf,
} from '../../entitlements/policies/effective.ts'
import { RecentlyUsed } from '../../kit/recently-used.ts'
import type { LicensedEntitlement } from './licensed.ts'

/** What an entitlement grants: its row, and what is written in it. */
export interface Granted extends Content {
  row: EntitlementRow
}

interface Content {
  license: LicensePolicy
  activation: ActivationPolicy
  productIds: readonly string[]
  /** The same as JSON, as sessions keep it. */
  productIdsText: string
  licensed: LicensedEntitlement
}

/** Whatever is written in an entitlement moves its revision number. */
const contents = new RecentlyUsed<Content>(2000)

/** An entitlement's row with what is written in it, read once for each revision. */
export function grantedBy(row: EntitlementRow): Granted {
  const revision = `${row.id} ${row.revision_number}`
  let content = contents.get(revision)
  if (!content) {
    content = readContent(row)
    contents.set(revision, content)
  }
  return { row, ...content }
}

function readContent(row: EntitlementRow): Content {
  const productIds = licensedProductIds(row)
  return {
    license: licensePolicyOf(row),
    activation: activationPolicyOf(row),
    productIds,
    productIdsText: JSON.stringify(productIds),
    licensed: {
      id: row.id,
      name: row.name,
      version: row.version,
      legalNoticeHtml: row.legal_notice_html,
      licenseKey: row.license_key,
      features: readFeatures(row),
    },
  }
}
