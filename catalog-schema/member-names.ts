import { keyText, productText } from './key-text.ts'

/** A name as a segment of a path (RFC 6901 §3): `~` is `~0`, `/` is `~1`. */
export const pathSegment = (name: string) =>
  name.includes('~') || name.includes('/') ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name

/** The name that a segment of a path stands for. */
export const readPathSegment = (segment: string) => segment.replaceAll('~1', '/').replaceAll('~0', '~')

type Fields = Readonly<Record<string, unknown>>

/** A member's name inside a path: its name, code or value; `CODE@VERSION` for a product; a feature as in its key string. */
export function memberName(nameFields: readonly string[], member: Fields): string {
  const code = String(member[nameFields[0]!] ?? '')
  if (nameFields.length === 1) return code
  const version = member[nameFields[1]!]
  if (nameFields.length === 2) return version ? `${code}@${String(version)}` : code
  const product = { productCode: code, productVersion: version ? String(version) : null }
  return `${productText(product)}/${keyText(String(member[nameFields[2]!] ?? ''))}`
}

/** What tells a member from the others of its list, also where two names read alike (`A@1` and version 1 of `A`). */
export function memberIdentity(nameFields: readonly string[], member: Fields): string {
  if (nameFields.length === 1) return String(member[nameFields[0]!] ?? '')
  return nameFields.map((field) => String(member[field] ?? '')).join('\u0000')
}

/** Whether two members have the same identity. */
export const isSameMember = (nameFields: readonly string[], one: Fields, other: Fields) =>
  nameFields.every((field) => one[field] === other[field] || (one[field] || '') === (other[field] || ''))

/** Names in the order of their UTF-16 code units: the one order of everything canonical, whatever the locale. */
export const byName = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
