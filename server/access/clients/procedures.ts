import type { RequestContext, WriteContext } from '../../kit/context.ts'
import { addDuration } from '../../kit/duration-adding.ts'
import { requireRevision } from '../../kit/if-match.ts'
import { toInstant } from '../../kit/instants.ts'
import { invalid, Problem, recordNotFound } from '../../kit/problem.ts'
import { mutation, query } from '../../kit/procedure.ts'
import { type ClientRecord, clientContracts } from './contract.ts'
import { findUngrantable, findUnknownScopes } from './granting.ts'
import { listPage } from './listing.ts'
import { registeredScopesOf } from './registered-scopes.ts'
import { overlapMillis, type Registered, registerClient, rotateSecret } from './registration.ts'
import { type Client, deleteClientRow, findClient, lockClient, updateClient } from './store.ts'

const longestOverlapMillis = 31 * 24 * 3_600_000

export const clientProcedures = {
  list: query(clientContracts.list, async ({ read, tenant, now }, input) => {
    const page = await listPage(read, tenant.id, input, now)
    return { ...page, items: page.items.map((client) => toWire(client, now)) }
  }),

  get: query(clientContracts.get, async ({ read, tenant, now }, { id }) => {
    const client = await findClient(read, tenant.id, id.toLowerCase())
    if (!client) throw recordNotFound('client')
    return toWire(client, now)
  }),

  create: mutation(
    clientContracts.create,
    async (context, { name, scopes }) => {
      const wanted = { tenantId: context.tenant.id, name, scopes }
      return withSecret(await registerClient(context.tx, context.sealer, wanted, context.now), context.now)
    },
    async (context, { scopes }) => requireGrantable(context, scopes),
  ),

  update: mutation(clientContracts.update, (context, { id, name, scopes }) => change(context, id, { name, scopes })),

  replace: mutation(clientContracts.replace, (context, { id, name, scopes }) => change(context, id, { name, scopes })),

  delete: mutation(clientContracts.delete, async (context, { id }) => {
    const client = await getForChange(context, id)
    await deleteClientRow(context.tx, context.tenant.id, client, context.now)
    return undefined
  }),

  rotateSecret: mutation(
    clientContracts.rotateSecret,
    async (context, { id, overlap }) => {
      const { tx, sealer, tenant, now } = context
      const client = await getForChange(context, id)
      requireHeld(context, client.scopes)
      const until = overlap == null ? now + overlapMillis : addDuration(now, overlap)
      if (!(until - now <= longestOverlapMillis))
        throw invalid([{ pointer: '/overlap', message: 'must be at most 31 days' }])
      return withSecret(await rotateSecret(tx, sealer, tenant.id, client, now, until), now)
    },
    async (context, { id }) => {
      const scopes = await registeredScopesOf(context.database.read, context.tenant.id, id.toLowerCase())
      requireHeld(context, scopes)
    },
  ),
}

interface Wanted {
  name?: string | null | undefined
  scopes?: string[] | null | undefined
}

async function change(context: WriteContext, id: string, wanted: Wanted) {
  const { tx, tenant, now } = context
  const client = await getForChange(context, id)
  if (wanted.scopes) requireGrantable(context, wanted.scopes, client.scopes)
  const changed = {
    ...client,
    name: wanted.name ?? client.name,
    scopes: wanted.scopes ? [...new Set(wanted.scopes)] : client.scopes,
  }
  const isSame = changed.name === client.name && String(changed.scopes) === String(client.scopes)
  return toWire(isSame ? client : await updateClient(tx, tenant.id, changed, now), now)
}

async function getForChange(context: WriteContext, id: string): Promise<Client> {
  const client = await lockClient(context.tx, context.tenant.id, id.toLowerCase())
  if (!client) throw recordNotFound('client')
  requireRevision(context, client.revisionNumber)
  return client
}

/** Refuses scopes that do not exist, and those that the caller does not hold itself. */
function requireGrantable(context: RequestContext, scopes: readonly string[], already?: readonly string[]): void {
  const unknown = findUnknownScopes(scopes)
  if (unknown.length > 0)
    throw invalid(
      unknown.map((index) => ({
        pointer: `/scopes/${index}`,
        message: `there is no scope ${JSON.stringify(scopes[index])}`,
      })),
    )
  requireHeld(context, scopes, already)
}

function requireHeld({ caller }: RequestContext, scopes: readonly string[], already?: readonly string[]): void {
  const missing = findUngrantable(scopes, 'scopes' in caller ? caller.scopes : [], already)
  if (missing === undefined) return
  throw new Problem(
    'auth.insufficient_scope',
    `The token lacks the scope ${missing}, so it cannot give it to a client.`,
    {
      headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${missing}"` },
    },
  )
}

const toWire = (client: Client, now: number): ClientRecord => ({
  id: client.id,
  clientId: client.id,
  name: client.name,
  scopes: [...client.scopes],
  previousSecretValidUntil: (client.previousSecretUntil ?? 0) > now ? toInstant(client.previousSecretUntil!) : null,
  createdAt: toInstant(client.createdAt),
  updatedAt: toInstant(client.updatedAt),
  revisionNumber: client.revisionNumber,
})

const withSecret = ({ client, clientSecret }: Registered, now: number) => ({
  ...toWire(client, now),
  clientSecret,
})
