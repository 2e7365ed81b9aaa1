import { nearest } from '../nearest.ts'
import { Problem } from '../problems.ts'

/** A tenant on a server, and who calls there. The secret is only ever in the user's own file or the environment. */
export interface Environment {
  url: string
  clientId?: string
  clientSecret?: string
  /** The id of the tenant that must answer; commands stop before the first write when another one does. */
  tenantId?: string
  /** What asks before it changes anything there asks for `--confirm NAME`. */
  protected?: boolean
}

const known: Record<keyof Environment, 'string' | 'boolean'> = {
  url: 'string',
  clientId: 'string',
  clientSecret: 'string',
  tenantId: 'string',
  protected: 'boolean',
}

/** A value of a file as an environment; `where` says which file and name for the message. Raises cli.environment. */
export function environmentFrom(value: unknown, where: string): Environment {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Problem('cli.environment', `${where} is not a mapping with a url.`)
  }
  for (const [key, field] of Object.entries(value)) {
    const type = Object.hasOwn(known, key) ? known[key as keyof Environment] : undefined
    if (!type) throw unknownKey(where, key, Object.keys(known))
    if (typeof field !== type) throw new Problem('cli.environment', `${where}: ${key} must be a ${type}.`)
  }
  const environment = value as Environment
  if (environment.url === undefined) throw new Problem('cli.environment', `${where} has no url.`)
  return { ...environment, url: tenantUrl(environment.url, where) }
}

/** The refusal of a key that a file of settings does not have, with the likeliest meant. */
export function unknownKey(where: string, key: string, known: readonly string[]): Problem {
  const [meant] = nearest(key, known)
  const advice = meant === undefined ? '.' : `; did you mean "${meant}"?`
  return new Problem('cli.environment', `${where} has an unknown key "${key}"${advice}`)
}

/**
 * A tenant's base URL in one form: http or https, no credentials, query or fragment, no slash at the end. Raises
 * cli.usage where a flag says it, else cli.environment.
 */
export function tenantUrl(text: string, where: string): string {
  const codeName = where.startsWith('--') ? 'cli.usage' : 'cli.environment'
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw new Problem(codeName, `${where}: the URL must begin with https:// or http://.`, {
      hint: "the tenant's base URL, for example https://licenses.example.com/t/acme",
    })
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new Problem(codeName, `${where}: the URL must hold no user, password, query or fragment.`)
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}

/** True when a secret sent there crosses a network in the clear. */
export function isClearText(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'http:' && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}

/** A name that is safe in files, flags and messages. Raises cli.usage. */
export function readEnvironmentName(text: string): string {
  if (/^[a-z0-9][a-z0-9._-]{0,62}$/i.test(text)) return text
  throw new Problem('cli.usage', 'An environment name is 1 to 63 letters, digits, dots, dashes or underscores.')
}
