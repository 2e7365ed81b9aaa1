import { foldTagName } from '../tag-names.ts'
import { type Breach, invalid } from './rule.ts'

/** What these rules read of a key issuance policy; an absent field has its default. */
interface KeyIssuance {
  template?: string
  alphabet?: string
  customAlphabet?: string | null
}

const token = /^(?:(?:random|seq):([1-9]\d?)|year|productCode|check)$/
const longestPart = 64

/** What is wrong with a key template (`{random:N}`, `{seq:N}`, `{year}`, `{productCode}`, `{check}` and plain text), or undefined when it is sound. */
export function explainKeyTemplate(template: string): string | undefined {
  const plain = template.replace(/\{([^{}]*)\}/g, '')
  if (/[{}]/.test(plain)) return 'a brace is open: a token is written {random:5}'
  const names = [...template.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1]!)
  for (const name of names) {
    const match = token.exec(name)
    if (!match) return `{${name}} is none of {random:N}, {seq:N}, {year}, {productCode}, {check}`
    if (match[1] !== undefined && Number(match[1]) > longestPart)
      return `a part is at most ${longestPart} characters long`
  }
  if (!names.some((name) => name.startsWith('random:') || name.startsWith('seq:')))
    return 'every code would be the same: it needs {random:N} or {seq:N}'
  return undefined
}

/** Keys can be written by the policy: its template is sound, and an alphabet of its own has letters to choose from. */
export function checkKeyIssuance(policy: KeyIssuance, path: string): Breach[] {
  const breaches: Breach[] = []
  const wrong = policy.template === undefined ? undefined : explainKeyTemplate(policy.template)
  if (wrong) breaches.push(invalid(`${path}/template`, wrong))
  const letters = [...(policy.customAlphabet ?? '')]
  if (policy.alphabet !== 'Custom') return breaches
  if (letters.length < 2) breaches.push(invalid(`${path}/customAlphabet`, 'an alphabet has two characters or more'))
  else if (new Set(letters.map(foldTagName)).size < letters.length)
    breaches.push(invalid(`${path}/customAlphabet`, 'an alphabet has each character once, whatever its letter case'))
  return breaches
}
