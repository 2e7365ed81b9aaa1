import { compactVerify } from 'jose'
import { isDuplicate } from '../../kit/records/store.ts'
import { tellRefusedEndpoint } from '../../kit/refused-endpoints.ts'
import { readSettings } from '../settings/store.ts'
import type { Presented } from '../tokens/authentication.ts'
import type { CompactToken } from '../tokens/compact-token.ts'
import { bindSubject, findUserByEmail, findUserIdBySubject } from '../users/subjects.ts'
import { keysAt, RefusedKeyUri } from './issuer-keys.ts'
import { findTrusted, isOutsideType, type OutsideClaims, readOutsideClaims } from './outside-claims.ts'

/** What an outside issuer may sign with: keys that it alone has, nothing shared. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

/** The user whom a token of a trusted outside issuer means, and what it says; undefined for any other token. */
export async function findOutsideUser(
  presented: Presented,
  token: string,
  { header, payload }: CompactToken,
): Promise<{ userId: string; claims: OutsideClaims } | undefined> {
  const { database, tenant, isLocal, now, answer } = presented
  const claims = isOutsideType(header) ? readOutsideClaims(payload) : undefined
  if (!claims) return undefined
  const { settings } = await readSettings(database.read, tenant.id)
  const trusted = findTrusted(settings.trustedIssuers, claims, now)
  if (!trusted) return undefined
  const keys = keysAt(trusted.jwksUri, isLocal)
  const isSigned = await compactVerify(token, keys, { algorithms }).then(
    () => true,
    (error: unknown) => {
      if (error instanceof RefusedKeyUri) tellRefusedEndpoint(answer, error.message)
      return false
    },
  )
  const userId = isSigned ? await matchUser(presented, claims) : undefined
  return userId === undefined ? undefined : { userId, claims }
}

/** The user known by the token's subject, or else by its verified address; one who is known by no subject yet is known by this one from then on. */
async function matchUser({ database, tenant, now }: Presented, { iss, sub, verifiedEmail }: OutsideClaims) {
  const said = { issuer: iss, subject: sub }
  const known = await findUserIdBySubject(database.read, tenant.id, said)
  if (known !== undefined || verifiedEmail === undefined) return known
  const user = await findUserByEmail(database.read, tenant.id, verifiedEmail)
  if (!user?.isUnbound) return user?.id
  const bound = await database
    .transact(async (tx) => {
      // Another request may have done it meanwhile: then the subject is known, and nothing is left to bind.
      const meanwhile = await findUserIdBySubject(tx, tenant.id, said)
      if (meanwhile === undefined) await bindSubject(tx, tenant.id, said, user.id, now)
      return meanwhile
    })
    .catch((error) => {
      if (!isDuplicate(error)) throw error
      return findUserIdBySubject(database.read, tenant.id, said)
    })
  return bound ?? user.id
}
