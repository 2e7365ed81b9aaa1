import type { Tables } from '../../database/tables.ts'
import type { StoredFeature } from '../../entitlements/entitlements/stored.ts'

export type SessionRow = Tables['license_sessions']

/** A session with everything that its license says. */
export interface Licensed {
  session: SessionRow
  entitlement: LicensedEntitlement
  products: readonly LicensedProduct[]
  /** The text of the code that it was activated by. */
  activationCode: string | null
}

/** What a license says of its entitlement. */
export interface LicensedEntitlement {
  id: string
  name: string | null
  version: string | null
  legalNoticeHtml: string | null
  licenseKey: string | null
  features: readonly StoredFeature[]
}

export interface LicensedProduct {
  id: string
  code: string
  version: string | null
}
