import { type ChosenEnvironment, environmentName } from '../environments/choosing.ts'
import { nearest } from '../nearest.ts'
import { Problem } from '../problems.ts'
import { duringPhase } from '../progress.ts'
import { tenantClient } from '../server-client.ts'

/** What of the server's OpenAPI document is read here. */
interface Operations {
  paths?: Record<string, Record<string, { operationId?: string }>>
}

/**
 * Raises cli.usage for an operation, or `prefix.*`, that leaves no entry in the audit log, with those that may be meant. What the
 * operator of the server does is no operation of the server's own, and taken as it is.
 */
export async function requireOperation(environment: ChosenEnvironment, asked: string): Promise<void> {
  if (asked.startsWith('operator.')) return
  const names = await listOperations(environment)
  const prefixes = names.map((name) => name.replace(/[^.]+$/, '*'))
  const isKnown = asked.endsWith('.*')
    ? names.some((name) => name.startsWith(asked.slice(0, -1)))
    : names.includes(asked)
  if (isKnown) return
  const meant = nearest(asked, [...names, ...prefixes])
  throw new Problem('cli.usage', 'There is no operation of that name that the audit log tells of.', {
    hint: meant.length > 0 ? meant.join(' or ') : 'admin.clients.create, or admin.clients.* for all that begin so',
  })
}

/** Whatever changes something, by the server's own reference. */
async function listOperations(environment: ChosenEnvironment): Promise<string[]> {
  const { paths = {} } = (await duringPhase(`Reading from ${environmentName(environment)}`, () =>
    tenantClient(environment.url).callRest('GET', '/openapi.json'),
  )) as Operations
  return Object.values(paths).flatMap((methods) =>
    Object.entries(methods).flatMap(([method, { operationId }]) =>
      method !== 'get' && operationId !== undefined && /^(admin|operational|consumer|webhooks)\./.test(operationId)
        ? [operationId]
        : [],
    ),
  )
}
