import { isLoopbackHost } from '../../kit/public-address.ts'

/**
 * Whether the issuer that a token names is a tenant, which is reached at these base URLs. A server that is reached on its
 * own machine has no lasting address: what another process on its database issued, or its earlier start, by the same keys,
 * is good whatever port it listened on. One whose public URL is not of this machine takes what names that and nothing else.
 */
export const isIssuer = (baseUrls: readonly string[], issuer: string): boolean =>
  baseUrls.includes(issuer) || (isHere(baseUrls[0]!) && baseUrls.some((own) => placeOf(own) === placeOf(issuer)))

const isHere = (url: string) => isLoopbackHost(URL.parse(url)?.hostname ?? '')

/** A base URL without its port, and with one name for this machine; what is no http URL is a place of its own. */
function placeOf(baseUrl: string): string {
  const url = URL.parse(baseUrl)
  if (url?.protocol !== 'http:') return baseUrl
  url.port = ''
  if (isHere(baseUrl)) url.hostname = 'localhost'
  return url.href
}
