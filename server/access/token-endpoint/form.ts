const longest = 65_536

/** A form that is not one: too long, not UTF-8, badly escaped, or with a parameter twice. */
export class FormRefused extends Error {}

/**
 * The parameters of an application/x-www-form-urlencoded body, each at most once; one without a value counts as omitted
 * (RFC 6749 §3.1, §3.2). Throws FormRefused.
 */
export function readForm(bytes: Uint8Array): Map<string, string> {
  if (bytes.length > longest) throw new FormRefused(`the body is longer than ${longest} bytes`)
  const parameters = new Map<string, string>()
  const seen = new Set<string>()
  for (const pair of decodeUtf8(bytes).split('&')) {
    if (pair === '') continue
    const [, rawName = '', rawValue = ''] = /^([^=]*)=?(.*)$/s.exec(pair)!
    const name = decodeFormText(rawName)
    const value = decodeFormText(rawValue)
    if (name === undefined || value === undefined) throw new FormRefused('the body is not properly form-encoded')
    if (seen.has(name)) throw new FormRefused('a parameter is there twice')
    seen.add(name)
    if (value !== '') parameters.set(name, value)
  }
  return parameters
}

/** The text behind a form-encoded one (`+` is a blank, `%XX` bytes of UTF-8); undefined when it is malformed or holds NUL. */
export function decodeFormText(text: string): string | undefined {
  try {
    const decoded = decodeURIComponent(text.replaceAll('+', ' '))
    return decoded.includes('\0') ? undefined : decoded
  } catch {
    return undefined
  }
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new FormRefused('the body is not UTF-8')
  }
}
