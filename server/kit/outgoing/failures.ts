/** An error whose message is fit to be told to anyone. */
export class NamedFailure extends Error {}

/** Why an address is not connected to. */
export const notPublic = 'the address is not public'

const reset = 'the connection was reset'
const timedOut = 'the connection timed out'
const unreachable = 'there is no way to the host'
const goingDown = 'the server is going down'
const notHttp = 'what came back is not HTTP'
const unasked = 'an answer came that was not asked for, such as 100 Continue'

const words: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: reset,
  EPIPE: reset,
  UND_ERR_SOCKET: reset,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: reset,
  ETIMEDOUT: timedOut,
  UND_ERR_CONNECT_TIMEOUT: timedOut,
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the answer are over the limit of 16 KiB',
  UND_ERR_DESTROYED: goingDown,
  UND_ERR_CLOSED: goingDown,
}

/** The codes with which OpenSSL and Node refuse a certificate. */
const certificateCode =
  /^(?:\w*(?:CERT|CRL|ISSUER)\w*|UNABLE_TO_VERIFY_LEAF_SIGNATURE|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED)$/

/** Why there was no answer, in words that reveal no address, no port and nothing that was said. */
export function explainFailure(error: unknown): string {
  if (error instanceof NamedFailure) return error.message
  const { name = '', code = '', message = '' } = error as { name?: string; code?: string; message?: string }
  if (certificateCode.test(code)) return `the certificate is not trusted: ${code}`
  if (/^(?:EPROTO$|ERR_SSL_|ERR_TLS_)/.test(code)) return 'no TLS connection came about'
  if (name === 'HTTPParserError' || message === 'bad upgrade') return notHttp
  // So undici calls an answer before its request, and an interim 100, too.
  if (message === 'bad response') return unasked
  return words[code] ?? 'the connection failed'
}
