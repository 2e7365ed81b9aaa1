import type { ChosenEnvironment } from '../environments/choosing.ts'
import { nearest } from '../nearest.ts'
import { Problem } from '../problems.ts'
import { isRecordId } from '../record-ids.ts'
import { listClients } from './author-names.ts'

const kinds = ['client', 'user', 'session', 'callback']

/**
 * Whom an actor may be recorded as: an id is anybody's, any other text the name of a client. Raises cli.usage where there is
 * no such client, and where the credentials may not list clients.
 */
export async function actorsOf(environment: ChosenEnvironment, actor: string): Promise<string[]> {
  if (isRecordId(actor)) return kinds.map((kind) => `${kind}:${actor.toLowerCase()}`)
  const [, kind, id = ''] = /^([a-z]+)[: ](.*)$/.exec(actor) ?? []
  if (kind !== undefined && kinds.includes(kind) && isRecordId(id)) return [`${kind}:${id.toLowerCase()}`]
  if (actor === 'operator') return [actor]
  const clients = await listClients(environment).catch(refuseNames)
  const named = clients.filter(({ name }) => name === actor).map(({ id }) => `client:${id}`)
  if (named.length > 0) return named
  const meant = nearest(
    actor,
    clients.map(({ name }) => name),
  )
  throw new Problem('cli.usage', 'There is no client of that name.', {
    hint: meant.length > 0 ? meant.join(' or ') : 'the id of a client or user, or "operator"',
  })
}

function refuseNames(error: unknown): never {
  if (!(error instanceof Problem) || ![400, 403].includes(error.details.status ?? 0)) throw error
  throw new Problem(
    'cli.usage',
    'That is no id of an actor, and these credentials may not look for a client by name.',
    {
      hint: 'the id of a client or user, "operator", or credentials with the scope admin.clients:read',
      cause: error,
    },
  )
}
