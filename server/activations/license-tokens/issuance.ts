import { type Signer, signJwt } from '../../access/signing-keys/signer.ts'
import type { RequestContext } from '../../kit/context.ts'
import type { Licensed } from '../sessions/licensed.ts'
import { licenseClaims, licenseTokenType } from './claims.ts'

/** A signed license token (`typ: license+jwt`) of a session, good until the end of its grace. */
export const issueLicenseToken = (
  signer: Signer,
  { baseUrl, tenant, now }: Pick<RequestContext, 'baseUrl' | 'tenant' | 'now'>,
  licensed: Licensed,
): string => signJwt(signer, licenseTokenType, licenseClaims(licensed, { baseUrl, tenantId: tenant.id, now }))
