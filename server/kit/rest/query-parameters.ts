import { type FieldError, invalid } from '../problem.ts'

/** The query string as names and values, each given once; throws the validation problem for a name given twice, bytes that are not UTF-8, or a NUL. */
export function readQueryParameters(url: string): Record<string, string> {
  const start = url.indexOf('?')
  const parameters: Record<string, string> = Object.create(null)
  if (start < 0) return parameters
  const errors: FieldError[] = []
  for (const pair of url.slice(start + 1).split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const name = decode(equals < 0 ? pair : pair.slice(0, equals))
    const value = decode(equals < 0 ? '' : pair.slice(equals + 1))
    if (name === undefined || value === undefined)
      errors.push({ pointer: name ?? '', message: 'is not percent-encoded UTF-8' })
    else if (value.includes('\0')) errors.push({ pointer: name, message: 'must not hold a NUL (%00)' })
    else if (name in parameters) errors.push({ pointer: name, message: 'is given twice' })
    else parameters[name] = value
  }
  if (errors.length > 0) throw invalid(errors)
  return parameters
}

const isCoded = /[%+]/

function decode(text: string): string | undefined {
  if (!isCoded.test(text)) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}
