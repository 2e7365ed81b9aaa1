import { holdSecrets } from '../held-secrets.ts'
import { readInputText } from '../input-files.ts'
import { isObject, strictJsonIn } from '../json-objects.ts'
import { Problem } from '../problems.ts'
import { type CompactToken, looksLikeToken, readCompactToken } from './compact-token.ts'
import { type OfflineRequest, readOfflineRequest } from './offline-request.ts'
import { type OfflineResponse, readOfflineResponse } from './offline-response.ts'

/** What a file of this family holds, nothing of it proved. */
export type LicenseFile =
  | { kind: 'license-token'; token: CompactToken }
  | { kind: 'offline-response'; response: OfflineResponse }
  | { kind: 'offline-request'; request: OfflineRequest }

/** No file of this family comes near it. */
const limit = 1024 * 1024

/** The text of a file or stdin (`-`). Raises cli.input; cli.usage where a token stands in the place of a file's name. */
export async function readLicenseText(path: string): Promise<string> {
  if (looksLikeToken(path)) {
    holdSecrets(path)
    throw new Problem('cli.usage', 'That is a token itself. A token never goes on a command line.', {
      hint: 'the name of the file that holds it, or - for stdin',
    })
  }
  return (await readInputText(path, { limit })).trim()
}

/** The token that a text is, or that a JSON document has under `token`; from then on no output of this run holds it. */
export function tokenTextIn(text: string): string {
  const value = text.startsWith('{') ? strictJsonIn(Buffer.from(text)) : undefined
  const token = isObject(value) && typeof value.token === 'string' ? value.token : text
  holdSecrets(token)
  return token
}

/** What a text holds, told by its form. Raises cli.input, with what is wrong with it, for anything else. */
export function readLicenseFile(text: string, name: string): LicenseFile {
  const value = text.startsWith('{') ? strictJsonIn(Buffer.from(text)) : undefined
  if (isObject(value) && 'signedPayload' in value) {
    const response = readOfflineResponse(value)
    if ('wrong' in response) throw new Problem('cli.input', `${name} ${response.wrong}.`)
    return { kind: 'offline-response', response }
  }
  if (isObject(value) && 'meta' in value && 'body' in value)
    return { kind: 'offline-request', request: offlineRequestIn(text, name) }
  const token = readCompactToken(tokenTextIn(text))
  if (token) return { kind: 'license-token', token }
  throw new Problem('cli.input', `${name} is no license token, offline request or offline response.`)
}

/** The request artifact that a text holds; from then on no output of this run holds its code. Raises cli.input. */
export function offlineRequestIn(text: string, name: string): OfflineRequest {
  const request = readOfflineRequest(strictJsonIn(Buffer.from(text)))
  if ('wrong' in request) throw new Problem('cli.input', `${name} ${request.wrong}.`, { hint: 'licet offline request' })
  holdSecrets(request.body.activationCode)
  return request
}

/** The JSON value that a text is, of whatever anybody else may have written; undefined when it is none. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
