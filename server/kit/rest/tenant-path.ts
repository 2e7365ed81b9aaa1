/** A request's path without what names its tenant, and the slug that named it. */
export interface TenantPath {
  slug: string | undefined
  /** The rest of the URL, query included; always begins with `/`. */
  rest: string
}

const metadata = '/.well-known/oauth-authorization-server'
const slug = '[a-z][a-z0-9-]{1,62}'
const whole = new RegExp(`^${slug}$`)
const prefixed = new RegExp(`^/t/(${slug})(?=[/?]|$)`)

/** Whether a tenant may be named so: 2 to 63 lower-case letters, digits and hyphens, the first of them a letter. */
export const isSlug = (text: string): boolean => whole.test(text)

/** Takes `/t/{slug}` off a URL; for authorization server metadata the slug stands at the end (RFC 8414 §3.1). */
export function splitTenantPath(url: string): TenantPath {
  if (url.startsWith(`${metadata}/t/`)) {
    const named = prefixed.exec(url.slice(metadata.length))
    if (named && named[0].length + metadata.length === url.split('?', 1)[0]!.length)
      return { slug: named[1], rest: metadata }
  }
  const match = prefixed.exec(url)
  if (!match) return { slug: undefined, rest: url }
  const rest = url.slice(match[0].length)
  return { slug: match[1], rest: rest.startsWith('/') ? rest : `/${rest}` }
}

/** A request's path and query; of a target in absolute form, whose authority then stands for the Host (RFC 9112 §3.2.2), what follows it. */
export function originForm(request: { url?: string | undefined; headers: { host?: string | undefined } }): string {
  const url = request.url ?? '/'
  const absolute = /^https?:\/\/([^/?#]+)/i.exec(url)
  if (!absolute) return url
  request.headers.host = absolute[1]
  const rest = url.slice(absolute[0].length)
  return rest.startsWith('/') ? rest : `/${rest}`
}
