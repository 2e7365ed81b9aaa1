/**
 * The check character of a text over an alphabet of N characters: the Luhn formula of ISO/IEC 7812-1 Annex B with N in
 * place of 10, so that over the ten digits it is the standard's own. Characters that are not in the alphabet count for
 * nothing. One wrong character is always found where N is even; where it is odd, some are not.
 */
export function checkCharacter(text: string, letters: readonly string[]): string {
  const n = letters.length
  const values = [...text].map((character) => letters.indexOf(character)).filter((value) => value >= 0)
  const sum = values.reverse().reduce((total, value, index) => total + (index % 2 === 0 ? doubled(value, n) : value), 0)
  return letters[(n - (sum % n)) % n]!
}

/** The digit sum of twice a value, in base N. */
const doubled = (value: number, n: number) => Math.floor((2 * value) / n) + ((2 * value) % n)
