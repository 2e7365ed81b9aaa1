import { resolveEnvironment, type Sources } from '../../environments/choosing.ts'
import { type Environment, isClearText } from '../../environments/environment.ts'
import type { UserEnvironments } from '../../environments/user-file.ts'
import { Problem } from '../../problems.ts'
import type { ProjectFile } from '../../project-file.ts'
import { fetchAccessToken } from '../../server-connection/access-token.ts'
import { allScopes } from '../../server-connection/all-scopes.ts'
import { exchange } from '../../server-connection/exchange.ts'
import { type Check, failed, missing, ok, problem } from './check.ts'

/** How long a server has for each of two questions. */
const patienceMs = 4_000
/** A clock that is further off than this makes tokens look expired, or not valid yet. */
const mostSkewMs = 30_000

/** Every environment that is known, each looked at on its own and all at the same time. */
export async function checkEnvironments(project: ProjectFile | null, user: UserEnvironments): Promise<Check[]> {
  const names = [...new Set([...Object.keys(project?.environments ?? {}), ...Object.keys(user.environments)])]
  const found = await Promise.all(names.map((name) => checkOne(name, { project, user })))
  const { LICET_URL: url } = process.env
  const direct = url ? await checkOne(undefined, { project, user }) : []
  if (names.length === 0 && !url) return [missing('environments', 'none is known', 'licet env add')]
  return [...direct, ...found.flat()]
}

async function checkOne(name: string | undefined, known: Pick<Sources, 'project' | 'user'>): Promise<Check[]> {
  const label = (what: string) => `${name ?? 'LICET_URL'}: ${what}`
  const url = name === undefined ? process.env.LICET_URL! : urlOf(name, known)
  const reached = await checkReachable(url, label)
  const isReached = reached[0]?.status === 'ok'
  return [...reached, ...(await checkAccess(name, known, label, isReached))]
}

const urlOf = (name: string, { project, user }: Pick<Sources, 'project' | 'user'>) =>
  own(project?.environments, name)?.url ?? own(user.environments, name)?.url ?? ''

const own = (environments: Record<string, Environment> | undefined, name: string) =>
  environments && Object.hasOwn(environments, name) ? environments[name] : undefined

type Label = (what: string) => string

/** Whether a server answers, and how far its clock is off. */
async function checkReachable(url: string, label: Label): Promise<Check[]> {
  const begun = Date.now()
  try {
    const ready = await exchange({
      method: 'GET',
      url: new URL('/readyz', url),
      timeoutMs: patienceMs,
      maxBytes: 1 << 20,
    })
    const took = Date.now() - begun
    const checks = [
      ready.status === 503
        ? problem(label('reachable'), `${url} answers that it is not ready`, 'look at the log of the server')
        : ok(label('reachable'), `${url} (${took} ms)`),
    ]
    if (isClearText(url))
      checks.push(problem(label('encrypted'), 'secrets cross the network in the clear', 'use https'))
    const date = Date.parse(ready.headers.get('date') ?? '')
    if (Number.isNaN(date)) return checks
    // The header has whole seconds, and was written somewhere between the question and the answer.
    const skew = Math.max(0, Math.abs(date + 500 - (begun + took / 2)) - 500 - took / 2)
    const told = skew < 1000 ? 'the same as here' : `${Math.round(skew / 1000)} s apart from here`
    const isFar = skew > mostSkewMs
    return [...checks, isFar ? problem(label('clock'), told, 'set both clocks by NTP') : ok(label('clock'), told)]
  } catch (thrown) {
    return [failed(label('reachable'), thrown, 'check the URL of the environment, and the network')]
  }
}

/** Whether the client is accepted, of which tenant, with which scopes, and what care changes take. */
async function checkAccess(
  name: string | undefined,
  known: Pick<Sources, 'project' | 'user'>,
  label: Label,
  isReached: boolean,
) {
  let environment: ReturnType<typeof resolveEnvironment>
  try {
    environment = resolveEnvironment({ named: name, variables: process.env, ...known })
  } catch (thrown) {
    const isAbsent = thrown instanceof Problem && /has no client|but no client/.test(thrown.message)
    const hint = thrown instanceof Problem ? (thrown.details.hint ?? 'licet env add') : 'licet env add'
    const text = thrown instanceof Error ? thrown.message : String(thrown)
    return [isAbsent ? missing(label('credentials'), text, hint) : failed(label('credentials'), thrown, hint)]
  }
  const care = environment.protected
    ? ok(
        label('protected'),
        'changes of the catalog, and what cannot be taken back, ask for --confirm; licet api does not',
      )
    : /prod|live/i.test(name ?? '')
      ? missing(
          label('protected'),
          'it is not, though its name says that customers are there',
          'protected: true in licet.yaml',
        )
      : ok(label('protected'), 'no')
  if (!isReached) return [care]
  try {
    const { tenantId, scopes } = await fetchAccessToken(environment, allScopes, {}, { timeoutMs: patienceMs })
    const tenant = tenantId ?? 'not named by its tokens'
    const canRead = scopes.some((scope) => /^admin\.(?:\*|catalog):(?:read|\*)$/.test(scope))
    return [
      ok(label('credentials'), `client ${environment.clientId} is accepted`),
      environment.tenantId
        ? ok(label('tenant'), `${tenant}, as expected`)
        : missing(
            label('tenant'),
            `${tenant}; none is expected`,
            `tenantId: ${tenantId ?? '…'} in licet.yaml stops the wrong one`,
          ),
      canRead
        ? ok(label('scopes'), scopes.join(' '))
        : problem(
            label('scopes'),
            scopes.join(' ') || 'none',
            'a catalog needs admin.catalog:read, and admin.catalog:write to change it',
          ),
      care,
    ]
  } catch (thrown) {
    return [failed(label('credentials'), thrown, 'licet env check'), care]
  }
}
