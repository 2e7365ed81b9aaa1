import type { ChosenEnvironment } from '../environments/choosing.ts'
import { Problem } from '../problems.ts'
import { serverClient } from '../server-client.ts'
import { allScopes } from '../server-connection/all-scopes.ts'
import { exchange } from '../server-connection/exchange.ts'
import { refusal } from '../server-connection/refusals.ts'

/** What an environment answers: whether the server is ready, which tenant it is and what its client may do. Raises why not. */
export async function checkEnvironment(environment: ChosenEnvironment) {
  const begun = performance.now()
  const ready = await exchange({
    method: 'GET',
    url: new URL('/readyz', environment.url),
    timeoutMs: 10_000,
    maxBytes: 1024 * 1024,
  })
  // A proxy may keep the health routes to itself; only the server's own "not ready" counts.
  if (ready.status === 503) throw refusal(ready, new URL(environment.url).host)
  const { tenantId, scopes } = await serverClient(environment, allScopes).token()
  if (tenantId === null)
    throw new Problem('cli.unreadable_answer', `${new URL(environment.url).host} gave a token that names no tenant.`, {
      hint: 'is this a licet server, and the URL the base URL of a tenant (…/t/SLUG)?',
    })
  return {
    name: environment.name,
    url: environment.url,
    ready: ready.status === 200,
    clientId: environment.clientId,
    tenantId,
    expectedTenantId: environment.tenantId ?? null,
    protected: environment.protected,
    scopes,
    milliseconds: Math.round(performance.now() - begun),
  }
}
