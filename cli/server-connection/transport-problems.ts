import { Problem } from '../problems.ts'
import { againAfter } from './asking.ts'

const dns = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA', 'EAI_NONAME'])
const unreachable = new Set(['EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN', 'EHOSTDOWN', 'EADDRNOTAVAIL'])
const closed = new Set(['ECONNRESET', 'EPIPE'])
const slow = new Set(['ETIMEDOUT'])

/** What went wrong before there was an answer (name, connection, TLS, time), as one problem that says what to look at. */
export function transportProblem(error: unknown, url: URL, timeoutMs: number, method = 'GET'): unknown {
  const { host, hostname, protocol } = url
  const again = againAfter(method, url)
  const code = codeOf(error)
  const fail = (message: string, hint: string) => new Problem('cli.unreachable', message, { hint, cause: error })
  if (error instanceof Error && error.name === 'TimeoutError') {
    return fail(
      `${host} did not answer within ${timeoutMs / 1000} s.`,
      `is the server busy or a proxy in between? ${again}`,
    )
  }
  if (isUnreadableHttp(error)) {
    return fail(
      `What ${host} answers is not HTTP.`,
      'is the port right, and does it speak https rather than http there?',
    )
  }
  if (code === undefined) return error
  if (dns.has(code))
    return fail(`There is no host ${hostname} (${code}).`, 'check the URL of the environment, and the network')
  if (code === 'ECONNREFUSED')
    return fail(`Nothing listens at ${host}; it refused the connection.`, 'is the server running, and the port right?')
  if (unreachable.has(code)) return fail(`${host} cannot be reached (${code}).`, 'check the network, VPN and firewall')
  if (slow.has(code))
    return fail(`${host} did not answer in time (${code}).`, `check the network, VPN and firewall; ${again}`)
  if (closed.has(code)) {
    return fail(
      `${host} closed the connection before its answer was complete.`,
      `${again}; if it stays so, look at the server or proxy log`,
    )
  }
  if (isCompression(code))
    return fail(`What ${host} answers cannot be decompressed (${code}).`, `${again}; is there a proxy in between?`)
  if (isTls(code)) {
    const hint = /WRONG_VERSION|EPROTO|PACKET_LENGTH/.test(code)
      ? 'does it speak http rather than https there?'
      : 'check the certificate; a private authority is trusted with NODE_EXTRA_CA_CERTS=FILE'
    return fail(`No TLS connection to ${host}: ${tlsMeaning(code)} (${code}).`, hint)
  }
  return fail(`No connection to ${protocol}//${host} (${code}).`, 'check the URL of the environment, and the network')
}

/** Node's HTTP parser gives up with errors of its own. */
function isUnreadableHttp(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return /^HPE_/.test(codeOf(error) ?? '') || isUnreadableHttp(error.cause)
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if ('code' in error && typeof error.code === 'string') return error.code
  if (error instanceof AggregateError) return codeOf(error.errors[0])
  return codeOf(error.cause)
}

/** The codes of zlib and brotli. */
function isCompression(code: string): boolean {
  return /^Z_|^ERR__ERROR_FORMAT_/.test(code)
}

function isTls(code: string): boolean {
  return /CERT|SSL|TLS|EPROTO|SIGNATURE|CRL_/.test(code)
}

function tlsMeaning(code: string): string {
  if (code === 'CERT_HAS_EXPIRED') return 'its certificate has expired'
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'its certificate is for another host'
  if (/SELF_SIGNED/.test(code)) return 'its certificate is self-signed'
  if (/UNABLE_TO|LEAF|ISSUER/.test(code)) return 'its certificate is from an authority that is not trusted here'
  return 'the handshake failed'
}
