import type { IncomingMessage } from 'node:http'
import { invalid, Problem } from '../problem.ts'
import { headerValues } from './header-values.ts'

/** A host (reg-name, IPv4 or bracketed IPv6) and perhaps a port (RFC 9110 §7.2); empty when the target has no authority. */
const hostHeader = /^(?:(?:[\w.~!$&'()*+,;=-]|%[0-9a-f]{2})*|\[[0-9a-f:.]+\])(?::\d{0,5})?$/i

/**
 * Refuses what two readers could understand differently: another HTTP than 1.0 and 1.1, a Host that is missing, there
 * twice or none (RFC 9112 §3.2), an Idempotency-Key that is there twice.
 */
export function refuseUnsoundRequest(request: Pick<IncomingMessage, 'httpVersion' | 'rawHeaders'>): void {
  const { httpVersion } = request
  if (httpVersion !== '1.1' && httpVersion !== '1.0') throw malformed('Only HTTP/1.1 and HTTP/1.0 are spoken here.')
  const hosts = headerValues(request, 'host')
  if (hosts.length === 0 && httpVersion === '1.1') throw malformed('An HTTP/1.1 request names its Host.')
  if (hosts.length > 1) throw malformed('The request has more than one Host.')
  if (hosts[0] !== undefined && !hostHeader.test(hosts[0])) throw malformed('The Host header is not a host.')
  if (headerValues(request, 'idempotency-key').length > 1)
    throw invalid([{ pointer: 'Idempotency-Key', message: 'is given twice' }])
}

const malformed = (detail: string) => new Problem('request.malformed', detail, { headers: { connection: 'close' } })
