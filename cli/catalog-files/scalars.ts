import type { RefusalRule } from './refusals.ts'

/** A plain scalar that is not accepted, and what to write instead. */
export interface ScalarRefusal {
  rule: RefusalRule
  message: string
}

/** What a plain scalar stands for. */
export type PlainValue = null | boolean | number | string

const wholeNumber = /^[-+]?[0-9]+$/
const otherBase = /^0(?:o[0-7]+|x[0-9a-fA-F]+)$/
const decimalNumber = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/
const notFinite = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/
const leadingZero = /^[-+]?0[0-9]/

/**
 * The value of a plain (unquoted) scalar by YAML 1.2.2 §10.3, the core schema: null, true, false, integers (decimal,
 * 0o, 0x) and decimal fractions; all else is text, so `no`, `1_000` and `2024-01-01` are text.
 */
export function resolvePlain(text: string): PlainValue {
  switch (text.charCodeAt(0)) {
    case 0x7e: // ~
      return text === '~' ? null : text
    case 0x6e: // n
    case 0x4e: // N
      return text === 'null' || text === 'Null' || text === 'NULL' ? null : text
    case 0x74: // t
    case 0x54: // T
      return text === 'true' || text === 'True' || text === 'TRUE' ? true : text
    case 0x66: // f
    case 0x46: // F
      return text === 'false' || text === 'False' || text === 'FALSE' ? false : text
    default:
      if (Number.isNaN(text.charCodeAt(0))) return null
      return mayBeNumber(text.charCodeAt(0)) ? resolveNumber(text) : text
  }
}

/** Why a plain scalar is refused though the core schema gives it a value: the value would surprise its writer. */
export function findScalarRefusal(text: string): ScalarRefusal | undefined {
  if (!mayBeNumber(text.charCodeAt(0))) return undefined
  if (notFinite.test(text)) {
    return { rule: 'not-finite', message: `${text} is not a finite number; quote it if it is text.` }
  }
  const hasOtherBase = otherBase.test(text)
  if (!hasOtherBase && !decimalNumber.test(text)) return undefined
  if (leadingZero.test(text)) {
    const plain = text.replace(/^([-+]?)0+(?=[0-9])/, '$1')
    const message = `${text} starts with a zero, which readers take for octal or drop; write ${plain}, or '${text}' for text.`
    return { rule: 'leading-zero', message }
  }
  const value = Number(text)
  if (!Number.isFinite(value)) {
    return {
      rule: 'not-finite',
      message: `${text} is larger than any number that can be kept; quote it if it is text.`,
    }
  }
  const keeps = hasOtherBase ? Number.isSafeInteger(value) : keepsDigits(text, value)
  if (keeps) return undefined
  const message = `${text} would be kept as ${value} and lose digits; shorten it.`
  return { rule: 'lost-digits', message }
}

function mayBeNumber(first: number): boolean {
  return (first >= 0x30 && first <= 0x39) || first === 0x2d || first === 0x2b || first === 0x2e
}

/** Whether a text is the way a number or boolean is written by all: not `1.10`, `1e3`, `012` or `TRUE`. */
export function isPlainSpelling(text: string, value: number | boolean): boolean {
  if (typeof value === 'boolean') return text === 'true' || text === 'false'
  return (text.length <= 15 && shortInteger.test(text)) || text === String(value)
}

const shortInteger = /^-?(?:[1-9][0-9]*|0)$/

function resolveNumber(text: string): number | string {
  if (wholeNumber.test(text) || decimalNumber.test(text) || otherBase.test(text)) return Number(text)
  if (!notFinite.test(text)) return text
  return text.toLowerCase() === '.nan' ? Number.NaN : text.startsWith('-') ? -Infinity : Infinity
}

/** Whether the shortest decimal that reads back as `value` has the digits that were written. */
function keepsDigits(text: string, value: number): boolean {
  if (text.length <= 15 && !/[eE]/.test(text)) return true
  return digitsOf(text) === digitsOf(String(value))
}

function digitsOf(text: string): string {
  const digits = text.replace(/[eE].*$/, '').replace(/[-+.]/g, '')
  return digits.replace(/^0+/, '').replace(/0+$/, '')
}
