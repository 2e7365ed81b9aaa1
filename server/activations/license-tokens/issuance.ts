import { type Signer, signJwt } from '../../access/signing-keys/signer.ts'
import { type LicenseTokenClaims, licenseTokenType } from './claims.ts'

/** A signed license token (`typ: license+jwt`) with these claims. */
export const issueLicenseToken = (signer: Signer, claims: LicenseTokenClaims): string =>
  signJwt(signer, licenseTokenType, claims)
