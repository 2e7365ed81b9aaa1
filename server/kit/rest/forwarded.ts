import type { IncomingHttpHeaders } from 'node:http'

/** An address of a list with the port after it, or in brackets, as that of IPv6 then is. */
const withPort = /(?<=^|,)[ \t]*(?:(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}|\[([\da-f:.]+)\](?::\d{1,5})?)[ \t]*(?=,|$)/gi

/**
 * Takes the ports off X-Forwarded-For, as Azure's proxies write them: an address with one is in no network, and another caller at
 * each connection.
 */
export function dropForwardedPorts(headers: IncomingHttpHeaders): void {
  const forwarded = headers['x-forwarded-for']
  if (typeof forwarded === 'string') headers['x-forwarded-for'] = forwarded.replace(withPort, '$1$2')
}
