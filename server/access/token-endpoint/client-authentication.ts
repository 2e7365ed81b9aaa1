import type { RequestContext } from '../../kit/context.ts'
import { FailureLimit } from '../../kit/failure-limit.ts'
import { nextTurn } from '../../kit/next-turn.ts'
import { networkOf } from '../../kit/public-address.ts'
import { hashClientSecret, isSameHash } from '../clients/secrets.ts'
import type { Credentials } from './basic-credentials.ts'
import { refuseClient } from './presented-credentials.ts'
import { TokenRefused } from './refusal.ts'
import { findGrantee, type Grantee } from './store.ts'

const minute = 60_000
/**
 * A client's own limit stops guessing at it. An address may be that of many callers, so its limit is wider. Whoever
 * has the right secret always gets in: nobody can lock a client out by failing in its name.
 */
const perClient = new FailureLimit(30, minute, 10_000)
const perAddress = new FailureLimit(300, minute, 10_000)

const noHash = '0'.repeat(64)

/** The client whose credentials these are, with the key that signs for it; an unknown client and a wrong secret take the same steps. Throws TokenRefused. */
export async function authenticateClient(context: RequestContext, credentials: Credentials): Promise<Grantee> {
  const { database, sealer, tenant, now } = context
  await nextTurn()
  const grantee = await findGrantee(database.read, tenant.id, credentials.clientId)
  const client = grantee?.client
  const hash = hashClientSecret(sealer, tenant.id, credentials.clientId, credentials.clientSecret)
  const isCurrent = isSameHash(hash, client?.secretHash ?? noHash)
  const isPrevious = isSameHash(hash, client?.previousSecretHash ?? noHash)
  const overlaps = now < (client?.previousSecretUntil ?? 0)
  if (grantee && (isCurrent || (isPrevious && overlaps))) return grantee
  recordFailure(context, credentials.clientId)
  throw refuseClient()
}

/** Counts a failed attempt; throws TokenRefused (429) when there were too many in a minute. */
function recordFailure({ tenant, ip }: RequestContext, clientId: string): void {
  const now = Date.now()
  const keys = [
    [perClient, `${tenant.id}/${clientId.slice(0, 64)}`],
    [perAddress, `${tenant.id}/${networkOf(ip)}`],
  ] as const
  const waits = keys
    .filter(([limit, key]) => !limit.record(key, now))
    .map(([limit, key]) => limit.secondsLeft(key, now))
  if (waits.length > 0)
    throw new TokenRefused('temporarily_unavailable', 'There were too many failed attempts; try again later.', {
      'retry-after': String(Math.max(...waits)),
    })
}
