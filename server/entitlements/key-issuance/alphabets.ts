import type { KeyIssuancePolicy } from '../policies/effective.ts'

/** Crockford's Base32 leaves out I, L, O and U; Base32 is RFC 4648 §6, Hex is §8. */
const known = {
  CrockfordBase32: '0123456789ABCDEFGHJKMNPQRSTVWXYZ',
  Base32: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567',
  Hex: '0123456789ABCDEF',
  Numeric: '0123456789',
}

/** The text in the policy's case. */
export const inCase = (text: string, caseStyle: KeyIssuancePolicy['caseStyle']) =>
  caseStyle === 'Lower' ? text.toLowerCase() : text.toUpperCase()

/** The characters that the policy's random parts are drawn from, in its case, each once. */
export function lettersOf(
  policy: Pick<KeyIssuancePolicy, 'alphabet' | 'customAlphabet' | 'caseStyle'>,
): readonly string[] {
  const letters = policy.alphabet === 'Custom' ? (policy.customAlphabet ?? '') : known[policy.alphabet]
  return [...new Set(inCase(letters, policy.caseStyle))]
}
