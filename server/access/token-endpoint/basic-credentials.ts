import { decodeFormText } from './form.ts'

export interface Credentials {
  clientId: string
  clientSecret: string
}

/** The client id and secret of a Basic Authorization header, each half form-decoded (RFC 6749 §2.3.1); undefined when it holds none. */
export function readBasicCredentials(header: string): Credentials | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header)?.[1]
  if (encoded === undefined) return undefined
  const text = decodeUtf8(Buffer.from(encoded, 'base64'))
  const colon = text?.indexOf(':') ?? -1
  if (text === undefined || colon < 0) return undefined
  const clientId = decodeFormText(text.slice(0, colon))
  const clientSecret = decodeFormText(text.slice(colon + 1))
  return clientId && clientSecret ? { clientId, clientSecret } : undefined
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
