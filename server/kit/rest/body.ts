import { MalformedJson, parseStrictJson } from '../../../catalog-schema/strict-json.ts'
import { Problem } from '../problem.ts'

/** The largest body, in bytes: of most operations, and of catalog compare, import and apply. */
export const bodyLimits = { usual: 1024 * 1024, heavy: 64 * 1024 * 1024 }

/** The largest head of a request, in bytes: the longest token (256 KiB) beside as much of everything else as Node allows. */
export const headLimit = (256 + 16) * 1024

interface BodyHeaders {
  'content-type'?: string | undefined
  'content-encoding'?: string | string[] | undefined
}

/** Reads a JSON body (undefined when there is none); throws request.unsupported_media_type or request.malformed. */
export function readJsonBody(bytes: Uint8Array | undefined, headers: BodyHeaders): unknown {
  if (bytes === undefined || bytes.length === 0) return undefined
  requireJson(headers)
  return readJson(bytes)
}

/** Reads bytes as JSON; throws request.malformed. */
export function readJson(bytes: Uint8Array): unknown {
  try {
    return parseStrictJson(bytes)
  } catch (error) {
    if (error instanceof MalformedJson)
      throw new Problem('request.malformed', `The body is not acceptable JSON: ${error.message}`)
    throw error
  }
}

export const notEncoded = 'Send the body without a Content-Encoding.'

/** Whether a body is said to be compressed or the like (RFC 9110 §8.4); none is taken so. */
export const isEncoded = ({ 'content-encoding': encoding = 'identity' }: BodyHeaders) =>
  String(encoding).toLowerCase() !== 'identity'

/** Refuses a body that is not plain JSON in UTF-8. */
function requireJson(headers: BodyHeaders): void {
  if (isEncoded(headers))
    throw new Problem('request.unsupported_media_type', notEncoded, { headers: { 'accept-encoding': 'identity' } })
  const [type, ...parameters] = (headers['content-type'] ?? '').split(';').map((part) => part.trim())
  if (type?.toLowerCase() !== 'application/json' || parameters.some(isOtherCharset))
    throw new Problem('request.unsupported_media_type', 'Send the body as application/json, in UTF-8.')
}

/** JSON has no parameters, and any may be sent along (RFC 8259 §11); one that says it is in another encoding is believed. */
const isOtherCharset = (parameter: string) => /^charset\s*=/i.test(parameter) && !/=\s*"?utf-8"?$/i.test(parameter)
