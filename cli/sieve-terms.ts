/** A Sieve term: any of the fields holds the text, letter case aside. */
export const holdsText = (fields: readonly string[], text: string) => `(${fields.join('|')})@=*${sieveValue(text)}`

/** A Sieve term: any of the fields is the text, letter case aside. */
export const isText = (fields: readonly string[], text: string) => `(${fields.join('|')})==*${sieveValue(text)}`

/** The most ids that one filter asks for: a server takes 100 values and 4096 bytes. */
export const mostIds = 80

/** A Sieve term: the field is one of the values. */
export const isOneOf = (field: string, values: readonly string[]) => `${field}==${values.map(sieveValue).join('|')}`

/** A Sieve term: the field is the name, or of `prefix.*` begins with that prefix and its dot. */
export const fitsName = (field: string, name: string) =>
  name.endsWith('.*') ? `${field}_=${sieveValue(name.slice(0, -1))}` : isOneOf(field, [name])

/** A text as a value that means itself, whatever it holds. */
function sieveValue(text: string): string {
  const value = text.trim()
  return /^null$/i.test(value) ? `\\${value}` : value.replace(/[,|\\()=!<>@_*-]/g, '\\$&')
}
