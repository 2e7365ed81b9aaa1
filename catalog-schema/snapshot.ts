import { type Check, compileCheck, type Finding, mostFindings } from './checker.ts'
import { checksBeforehand } from './checks-beforehand.ts'
import { itemSchemas, type Kind, kinds, sectionOf } from './order.ts'
import { FileHeadSchema, reviewedOf, snapshotOf } from './snapshot-schema.ts'

export { formatVersion, type Reference, type Snapshot } from './snapshot-format.ts'
export { CatalogFileSchema, SnapshotSchema } from './snapshot-schema.ts'

/** The check of each kind's items, for documents that are read piece by piece. */
export const itemChecks = Object.fromEntries(
  kinds.map((kind) => [kind, compileCheck(itemSchemas[kind], checksBeforehand[kind])]),
) as Record<Kind, Check>
/** The check of what a file says of itself, beside its sections. */
export const checkFileHead = compileCheck(FileHeadSchema, checksBeforehand.head)
const checkEnvelope = compileCheck(
  snapshotOf(() => ({})),
  checksBeforehand.envelope,
)

const checkReview = compileCheck(reviewedOf({}), checksBeforehand.review)

/** Checks a snapshot's shape and brings its scalars into canonical form in place; what it finds is what is wrong. */
export function checkSnapshot(snapshot: unknown): Finding[] {
  const findings = checkEnvelope(snapshot)
  if (typeof snapshot !== 'object' || snapshot === null) return findings
  for (const kind of kinds) {
    const items = (snapshot as Record<string, unknown>)[sectionOf[kind]]
    if (!Array.isArray(items)) continue
    for (let index = 0; index < items.length && findings.length < mostFindings; index++)
      for (const finding of itemChecks[kind](items[index]))
        findings.push({ ...finding, pointer: `/${sectionOf[kind]}/${index}${finding.pointer}` })
  }
  return findings.slice(0, mostFindings)
}

/** The same of a snapshot with what it was reviewed against. */
export function checkReviewed(reviewed: unknown): Finding[] {
  const findings = checkReview(reviewed)
  const { snapshot } = (reviewed ?? {}) as { snapshot?: unknown }
  if (snapshot !== undefined)
    for (const finding of checkSnapshot(snapshot)) findings.push({ ...finding, pointer: `/snapshot${finding.pointer}` })
  return findings.slice(0, mostFindings)
}
