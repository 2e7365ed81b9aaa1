import type { Change } from '../forms/form.ts'
import type { Kind } from '../order.ts'
import { type RuleCode, ruleCodes } from '../rules/codes.ts'
import type { WantedFeature } from '../rules/rule.ts'

/** What an import does with one item. */
export interface PlannedItem {
  kind: Kind
  key: string
  action: 'create' | 'update' | 'unchanged'
  /** The canonical item the environment holds; undefined for a create. */
  before: Record<string, unknown> | undefined
  /** The canonical item after the import; the very same as `before` when nothing changes. */
  after: Record<string, unknown>
  changes: Change[]
}

/** Why a snapshot cannot be imported: the rule that an item breaks, and where. */
export interface PlanError {
  kind: Kind
  key: string
  path: string
  code: number
  codeName: RuleCode
  message: string
  /** Where the item stands in its section of the snapshot; undefined for one that the import makes itself. */
  index: number | undefined
  /** The key that nothing answers, of an unresolved reference. */
  missing?: string
  wanted?: WantedFeature
}

/** Something in a snapshot that is allowed but probably not meant. */
export interface PlanWarning {
  code: string
  kind: Kind
  key: string
  path: string
  message: string
  index: number | undefined
}

/** What only the environment has: an item, or (with a path) a member of an item's list. An import leaves it alone. */
export interface OnlyHere {
  kind: Kind
  key: string
  path?: string
}

/** Everything an import would do, decided on plain values; a compare shows it, an import writes it. */
export interface ImportPlan {
  items: PlannedItem[]
  onlyHere: OnlyHere[]
  errors: PlanError[]
  warnings: PlanWarning[]
}

/** An item on its way through a plan, with its place in the snapshot's section (undefined for one that the import makes itself). */
export interface PlacedItem {
  kind: Kind
  key: string
  index: number | undefined
}

/** The error of a rule that an item breaks. */
export const planError = (
  { kind, key, index }: PlacedItem,
  codeName: RuleCode,
  path: string,
  message: string,
): PlanError => ({ kind, key, path, code: ruleCodes[codeName], codeName, message, index })
