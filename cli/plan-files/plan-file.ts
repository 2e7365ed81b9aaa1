import { createHash } from 'node:crypto'
import { type Static, Type } from 'typebox'
import type { Snapshot } from '../../catalog-schema/snapshot.ts'

/** The one version of plan files that this licet reads and writes. */
export const planVersion = 1
/** The most bytes of a plan: it says what a catalog says several times over. */
export const planLimit = 256 * 1024 * 1024

const text = Type.String()
const count = Type.Integer()
const listOf = <Each extends Type.TSchema>(each: Each) => Type.Array(each)
const closed = <Fields extends Type.TProperties>(fields: Fields) => Type.Object(fields, { additionalProperties: false })
const orNull = <Each extends Type.TSchema>(each: Each) => Type.Union([each, Type.Null()])

const contentFields = {
  /** The tenant that it is made for, and what its environment is called where it was made; null for a bare URL. */
  target: closed({ tenantId: text, environment: orNull(text) }),
  /** The environment whose catalog it promotes; null when it comes from files. */
  promotedFrom: orNull(closed({ environment: orNull(text), tenantId: orNull(text) })),
  /** The commit that the files are of; `dirty` when they are not as committed. Null outside of git. */
  git: orNull(closed({ revision: text, dirty: Type.Boolean() })),
  /** What --only and --exclude chose; null for everything. */
  selection: orNull(
    closed({
      only: listOf(text),
      exclude: listOf(text),
      alsoNeeded: listOf(closed({ key: text, neededBy: text })),
    }),
  ),
  summary: closed({ create: count, update: count, unchanged: count, onlyHere: count, errors: count, warnings: count }),
  /** What it changes, field by field; `fingerprint` is of what the environment must hold under the key. */
  items: listOf(
    closed({
      kind: text,
      key: text,
      action: Type.Union([Type.Literal('create'), Type.Literal('update')]),
      changes: Type.Optional(listOf(closed({ path: text, before: Type.Unknown(), after: Type.Unknown() }))),
      fingerprint: orNull(text),
      affects: Type.Optional(closed({ entitlements: count })),
    }),
  ),
  /** Members of the changed items that only the environment has: they stay. */
  onlyHere: listOf(closed({ kind: text, key: text, path: text })),
  warnings: listOf(closed({ key: text, path: text, code: text, message: text })),
  /** SHA-256 of the snapshot as JSON without white space. */
  snapshotDigest: text,
  /** The changed items, in normal form; what stays as it is is not in it. */
  snapshot: Type.Unsafe<Snapshot>({ type: 'object' }),
  /** SHA-256 of each catalog file, by its name below the catalog's directory. */
  files: Type.Record(text, text),
  /**
   * Where each changed item stands: the file by its path from the root of the repository (outside of one from the working
   * directory), else by its name below the catalog.
   */
  places: Type.Record(text, closed({ file: text, line: count })),
}

const content = Type.Object(contentFields)
/** What a plan says, beside its version and digest. */
export type PlanContent = Static<typeof content>
export const PlanFileSchema = closed({ licetPlan: Type.Literal(planVersion), digest: text, ...contentFields })
/** A reviewed change as a file. The same change of the same files has the same bytes, whenever and wherever it is made. */
export type PlanFile = Static<typeof PlanFileSchema>

/** SHA-256 of bytes, or of a value as JSON without white space, its keys in their order. */
export function digestOf(value: unknown): string {
  const bytes = value instanceof Uint8Array ? value : JSON.stringify(value)
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`
}

/** A plan with the digest that any alteration breaks. */
export const sealed = (plan: PlanContent): PlanFile => {
  const fields = Object.keys(contentFields).map((field) => [field, plan[field as keyof PlanContent]])
  const ordered = Object.fromEntries(fields) as PlanContent
  return { licetPlan: planVersion, digest: digestOf({ licetPlan: planVersion, ...ordered }), ...ordered }
}

/** A plan as the text of its file. */
export const planText = (plan: PlanFile) => `${JSON.stringify(plan, null, 2)}\n`
