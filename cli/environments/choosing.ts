import { holdSecrets } from '../held-secrets.ts'
import { nearest } from '../nearest.ts'
import { Problem } from '../problems.ts'
import { findProjectFile, type ProjectFile } from '../project-file.ts'
import { visible } from '../visible-text.ts'
import { type Environment, tenantUrl } from './environment.ts'
import { readUserEnvironments, type UserEnvironments } from './user-file.ts'

/** An environment ready to be called, and where it was found. */
export interface ChosenEnvironment extends Environment {
  /** Null when LICET_URL says where to go, unless that is where a protected environment is. */
  name: string | null
  clientId: string
  clientSecret: string
  protected: boolean
}

export interface Sources {
  /** What --env (or LICET_ENV) names. */
  named: string | undefined
  variables: { LICET_URL?: string; LICET_CLIENT_ID?: string; LICET_CLIENT_SECRET?: string }
  project: ProjectFile | null
  user: UserEnvironments
}

/** Where a command goes that calls as nobody, or with a licence: an environment, whether or not it has credentials. */
export type ChosenPlace = Pick<ChosenEnvironment, 'name' | 'url'>

/** What an environment is called in messages. */
export const environmentName = ({ name, url }: ChosenPlace) => name ?? new URL(url).host

/** How a command that is to be typed next names the environment again; nothing where none has a name. */
export const envWords = (name: string | null): string => (name === null ? '' : ` --env ${visible(name)}`)

/** ` --confirm NAME`, as a command that changes a protected environment asks for it; nothing for any other. */
export const confirmWords = ({
  name,
  protected: isProtected,
}: Pick<ChosenEnvironment, 'name' | 'protected'>): string =>
  isProtected && name !== null ? ` --confirm ${visible(name)}` : ''

/** The environment a command works with, found in flag, variables, project file and user file, in that order. Raises cli.environment. */
export async function chooseEnvironment(named?: string): Promise<ChosenEnvironment> {
  return resolveEnvironment(await sourcesFor(named))
}

/** As chooseEnvironment, for a command that needs no client: an environment without credentials will do. */
export async function choosePlace(named?: string): Promise<ChosenPlace> {
  const { name, url } = findEnvironment(await sourcesFor(named))
  return { name, url }
}

async function sourcesFor(named: string | undefined): Promise<Sources> {
  const [project, user] = await Promise.all([
    findProjectFile(),
    readUserEnvironments().catch((error) => {
      // With LICET_URL no file is needed: one that cannot be looked at, such as somebody else's, says nothing.
      if (!named && process.env.LICET_URL && error.code === 'EACCES') return { current: null, environments: {} }
      throw error
    }),
  ])
  // Sent or not, no output may hold them: a server that an environment leads to may have heard them before.
  holdSecrets(...Object.values(user.environments).flatMap(({ clientSecret }) => clientSecret ?? []))
  return { named: named || undefined, variables: process.env, project, user }
}

/**
 * An environment under the name that a plan gives it: where files protect that name it is protected, by whatever URL it
 * is called.
 */
export async function asPlanned(environment: ChosenEnvironment, name: string | null): Promise<ChosenEnvironment> {
  if (environment.protected || name === null) return environment
  const [project, user] = await Promise.all([findProjectFile(), readUserEnvironments()])
  const known = [own(user.environments, name), own(project?.environments, name)]
  return known.some((each) => each?.protected)
    ? { ...environment, name: environment.name ?? name, protected: true }
    : environment
}

/** An environment of the files that calls as a client; `isStored` when it is one of the user's own. */
export interface EnvironmentOfClient extends Pick<Environment, 'url' | 'tenantId' | 'protected'> {
  name: string
  isStored: boolean
}

/** The environments of the project and of the user that call as a client. Raises cli.environment. */
export async function environmentsOfClient(clientId: string): Promise<EnvironmentOfClient[]> {
  const [project, user] = await Promise.all([findProjectFile(), readUserEnvironments()])
  const names = new Set([...Object.keys(user.environments), ...Object.keys(project?.environments ?? {})])
  return [...names].flatMap((name) => {
    const stored = own(user.environments, name)
    const each = { ...stored, ...own(project?.environments, name) }
    if (each.clientId !== clientId || each.url === undefined) return []
    const { url, tenantId } = each
    return {
      name,
      url,
      ...(tenantId && { tenantId }),
      protected: stored?.protected ?? false,
      isStored: Boolean(stored),
    }
  })
}

/** The environment that the sources say, with its credentials. Raises cli.environment, also when it has none. */
export const resolveEnvironment = (sources: Sources): ChosenEnvironment => complete(findEnvironment(sources))

/**
 * The environment that the sources say. A named one keeps its own URL whatever LICET_URL says, and while LICET_URL is
 * set the credentials beside it are meant for that URL alone. A stored secret is only ever paired with the URL it was
 * stored for, so that a project file cannot lead it elsewhere. What a file says for safety (protected, tenantId) holds
 * wherever its URL is called.
 */
function findEnvironment({ named, variables, project, user }: Sources): FoundEnvironment {
  const { LICET_URL: url, LICET_CLIENT_ID: id, LICET_CLIENT_SECRET: secret } = variables
  if (!named && url) {
    const target = tenantUrl(url, 'LICET_URL')
    const [name, careful] = carefulAt(target, [user.environments, project?.environments ?? {}])
    return { ...careful, name, url: target, clientId: id, clientSecret: secret }
  }
  const name = named ?? project?.environment ?? user.current ?? undefined
  if (!name) {
    throw new Problem('cli.environment', 'No environment is chosen.', {
      hint: '--env NAME, "licet env use NAME", or LICET_URL with LICET_CLIENT_ID and LICET_CLIENT_SECRET',
    })
  }
  const shared = own(project?.environments, name)
  const stored = own(user.environments, name)
  if (!shared && !stored)
    throw unknownEnvironment(name, [...Object.keys(project?.environments ?? {}), ...Object.keys(user.environments)])
  if (shared && stored && shared.url !== stored.url) {
    throw new Problem(
      'cli.environment',
      `${project?.path} says that "${name}" is ${shared.url}, your own settings say ${stored.url}.`,
      {
        hint: `change the url of "${name}" in ${project?.path}, or "licet env remove ${name}" and add it again, whichever is wrong; your secret has not been sent`,
      },
    )
  }
  if (shared?.tenantId && stored?.tenantId && shared.tenantId !== stored.tenantId) {
    throw new Problem(
      'cli.wrong_tenant',
      `${project?.path} says that "${name}" is tenant ${shared.tenantId}, your own settings say ${stored.tenantId}. Nothing was sent.`,
      { hint: `"licet env remove ${name}" and add it again if the project is right` },
    )
  }
  const given = url ? {} : withoutAbsent({ clientId: id, clientSecret: secret })
  return {
    ...stored,
    ...shared,
    ...given,
    name,
    url: shared?.url ?? stored!.url,
    // Either file alone can ask for care.
    protected: stored?.protected || shared?.protected || false,
  }
}

/** What the sources say of an environment, with or without credentials. */
type FoundEnvironment = Environment & { name: string | null }

/** What files say for safety of the environment at a URL, with its name where it is protected. */
function carefulAt(
  url: string,
  known: readonly Record<string, Environment>[],
): [string | null, Pick<Environment, 'protected' | 'tenantId'>] {
  const there = known.flatMap((environments) => Object.entries(environments)).filter(([, each]) => each.url === url)
  const guarded = there.find(([, each]) => each.protected)
  const expecting = there.find(([, { tenantId }]) => tenantId !== undefined)?.[1]
  return [
    guarded?.[0] ?? null,
    { protected: guarded !== undefined, ...(expecting && { tenantId: expecting.tenantId }) },
  ]
}

/** The refusal for a name that nothing defines, with the likeliest meant. */
export function unknownEnvironment(name: string, known: string[]): Problem {
  const meant = nearest(name, known)
  const hint =
    meant.length > 0
      ? meant.join(' or ')
      : known.length > 0
        ? `one of ${[...new Set(known)].join(', ')}`
        : 'licet env add'
  return new Problem('cli.environment', `There is no environment "${name}".`, { hint })
}

function complete(environment: FoundEnvironment): ChosenEnvironment {
  const { name, clientId, clientSecret } = environment
  const label = name === null ? 'LICET_URL is set, but' : `Environment "${name}" has`
  if (!clientId) {
    throw new Problem('cli.environment', `${label} no client id.`, {
      hint: 'LICET_CLIENT_ID, or "licet env add … --client-id"',
    })
  }
  if (!clientSecret) {
    const hint = 'LICET_CLIENT_SECRET, or "licet env add … --client-secret-file FILE"'
    throw new Problem('cli.environment', `${label} no client secret.`, { hint })
  }
  return { ...environment, clientId, clientSecret, protected: environment.protected ?? false }
}

function own(environments: Record<string, Environment> | undefined, name: string): Environment | undefined {
  return environments && Object.hasOwn(environments, name) ? environments[name] : undefined
}

function withoutAbsent(values: { clientId?: string; clientSecret?: string }) {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value))
}
