import type { SuiteText } from '../keys.ts'
import type { Kind } from '../order.ts'
import type { RuleCode } from './codes.ts'

/** What would have answered an unresolved reference though not by its own key: the feature of any of these products. */
export interface WantedFeature {
  featureCode: string
  products: readonly string[]
}

/** A rule that an item breaks: the problem's code name, where (an RFC 6901 pointer whose segments are names), and what to do. */
export interface Breach {
  codeName: RuleCode
  path: string
  message: string
  wanted?: WantedFeature
}

/** Something that is allowed but probably not meant. */
export interface Caution {
  code: string
  path: string
  message: string
}

/** A feature as a value is measured against it. */
export interface ValuedFeature {
  featureType: string
  enumOptions: readonly { value: string }[]
}

/** What rules may ask about the other items of the catalog an item stands in. */
export interface Surroundings {
  /** The canonical item under a key, however it got there. */
  find(kind: Kind, key: string): Record<string, unknown> | undefined
  /** The feature that a product (named as in key strings) has under a code. */
  featureOf(product: string, featureCode: string): ValuedFeature | undefined
  /** The feature under a code of the first product of the suite that has one. */
  featureInSuite(suiteCode: string, featureCode: string): ValuedFeature | undefined
  /** Whether what has the key is taken on trust: expected to be where the catalog is going. */
  isTrusted(key: string): boolean
  /** The products of a suite, own suites included, as they are named in key strings; undefined when the suite is not known. */
  membersOf(suiteCode: string): string[] | undefined
  /** Whether a plan set of the suite has a plan of that name. */
  hasPlan(suiteCode: string, planName: string): boolean
  /** Whether a product has a balance of that name. */
  hasBalance(metricName: string): boolean
  /** Whether there is an organization group of that name, as far as it is known. */
  hasGroup(name: string): boolean
  /** How a suite's code is written in key strings. */
  suiteText: SuiteText
}

/** What is wrong with a canonical item, and what is doubtful about it, given the catalog it stands in. */
export interface Verdict {
  breaches: Breach[]
  cautions: Caution[]
}

/** A value that no rule accepts there. */
export const invalid = (path: string, message: string): Breach => ({
  codeName: 'license.validation_error',
  path,
  message,
})
