import type { Lines, Span } from './lines.ts'

/** What a catalog file may not hold, each named after what was found. */
export type RefusalRule =
  | 'alias'
  | 'anchor'
  | 'byte-order-mark'
  | 'complex-key'
  | 'control-character'
  | 'directive'
  | 'duplicate-key'
  | 'encoding'
  | 'leading-zero'
  | 'lone-surrogate'
  | 'merge-conflict'
  | 'merge-key'
  | 'multiple-documents'
  | 'non-string-key'
  | 'not-a-mapping'
  | 'format-version'
  | 'head'
  | 'not-a-list'
  | 'not-an-item'
  | 'not-json'
  | 'not-finite'
  | 'lost-digits'
  | 'path'
  | 'plan-file'
  | 'reserved-key'
  | 'syntax'
  | 'tab-indentation'
  | 'tag'
  | 'too-deep'
  | 'too-large'
  | 'too-many'
  | 'unknown-section'

/** Why a file is not accepted, and where: the message says what to do about it. */
export interface Refusal extends Span {
  rule: RefusalRule
  message: string
}

/** A refusal with the file that it is about, named as it is shown to people. */
export interface FileRefusal extends Refusal {
  file: string
}

/** The most refusals of one rule that are collected from one file; the rest would only repeat them. */
const maxRefusals = 200

/** A list of refusals that places each by offset and takes `maxRefusals` of each rule. */
export function collectRefusals(lines: Lines) {
  const refusals: Refusal[] = []
  const counts = new Map<RefusalRule, number>()
  return {
    refusals,
    refuse(rule: RefusalRule, start: number, end: number, message: string | (() => string)) {
      const count = counts.get(rule) ?? 0
      if (count >= maxRefusals) return
      counts.set(rule, count + 1)
      const said = typeof message === 'string' ? message : message()
      refusals.push({ rule, message: said, ...lines.span(start, end) })
    },
  }
}

export type Refuse = ReturnType<typeof collectRefusals>['refuse']
