import { findScalarRefusal, resolvePlain } from '../scalars.ts'

export type Scalar = null | boolean | number | string

/** What YAML 1.1 readers take for a truth value, null, a merge or a default. */
const words = /^(?:y|yes|n|no|true|false|on|off|null|~|=|<<)$/i
const numberLike = /^(?:0[xXoObB][0-9a-fA-F_]*|[0-9][0-9_.:,eE+-]*|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt ].*)?)$/
const indicator = /^[-?:,[\]{}#&*!|>'"%@`+.=<~]/
/** What is written as an escape, if at all: controls, line and paragraph separators, byte order marks, non-characters. */
const unprintable = /[\p{Cc}\u2028\u2029\ufeff\ufffe\uffff]|\p{Cs}/u
const unprintableInBlock = /[^\P{Cc}\n\t]|[\u2028\u2029\ufeff\ufffe\uffff]|\p{Cs}/u

/** Whether text may stand without quotes, for readers of YAML 1.1 and 1.2 alike; inside a flow collection less may. */
export function mayBePlain(text: string, inFlow = false): boolean {
  if (text === '' || text.trim() !== text || unprintable.test(text)) return false
  if (indicator.test(text) || words.test(text) || numberLike.test(text)) return false
  if (/:(?:\s|$)|\s#/.test(text) || (inFlow && /[,[\]{}]/.test(text))) return false
  return resolvePlain(text) === text && findScalarRefusal(text) === undefined
}

/** Text in single quotes; undefined when it holds what only an escape can write. */
export const singleQuoted = (text: string): string | undefined =>
  unprintable.test(text) ? undefined : `'${text.replaceAll("'", "''")}'`

/** Text in double quotes, as JSON and YAML both read it. */
export const doubleQuoted = (text: string): string =>
  JSON.stringify(text).replace(
    /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** A number, truth value or null as YAML and JSON write it. */
export const wordText = (value: null | boolean | number): string => (Object.is(value, -0) ? '-0' : String(value))

/** A scalar on one line, in the plainest way that no reader mistakes. */
export function scalarText(value: Scalar, inFlow = false): string {
  if (typeof value !== 'string') return wordText(value)
  return mayBePlain(value, inFlow) ? value : (singleQuoted(value) ?? doubleQuoted(value))
}

/** A block scalar: what stands after the key or dash, and its lines without indentation. */
export interface BlockText {
  header: string
  lines: string[]
}

/** Text of several lines as a literal block; undefined when a block would not keep it, or not so that people see it. */
export function literalText(text: string): BlockText | undefined {
  if (unprintableInBlock.test(text) || text.endsWith('\n\n') || !/\S/.test(text)) return undefined
  const lines = (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n')
  if (lines.some((line) => line !== '' && line.trim() === '') || lines.some((line) => line.startsWith('\t')))
    return undefined
  const indentation = lines.find((line) => line !== '')!.startsWith(' ') ? '2' : ''
  return { header: `|${indentation}${text.endsWith('\n') ? '' : '-'}`, lines }
}
