import { ruleCodes } from '../../catalog-schema/rules/codes.ts'
import type { CatalogSource } from '../catalog-files/directory.ts'
import { findDuplicates } from '../catalog-files/duplicate-findings.ts'
import { type Finding, orderFindings, type UnframedFinding } from '../catalog-files/findings.ts'
import { createKeyOf, type LocatedItem, locateItems } from '../catalog-files/located-items.ts'
import { type MendedItem, meantItem, mendItem } from '../catalog-files/mended-items.ts'
import type { FileRefusal, RefusalRule } from '../catalog-files/refusals.ts'
import { findRuleBreaches } from '../catalog-files/rule-findings.ts'
import { checkShape, findReworded } from '../catalog-files/shape-findings.ts'
import { readSnapshot } from '../catalog-files/snapshot-reading.ts'
import { expectedMs, tellProgress } from '../progress.ts'

/** What is wrong with a catalog, and how much of it was looked at. */
export interface Validation {
  findings: Finding[]
  items: number
  files: number
}

/**
 * Checks the files of a catalog without a server, as importing them into an empty environment would: syntax, every
 * field, keys that occur twice, references that nothing in the catalog answers (nor is marked External), and every
 * rule. All is told at once, files named as people see them; what only follows from something already told is left out.
 */
export function validateCatalog(source: CatalogSource, shownName = (name: string) => name): Validation {
  const reading = readSnapshot(source)
  const keyOf = createKeyOf(reading.snapshot)
  const items = locateItems(reading, keyOf)
  const unsound = new Set<LocatedItem>()
  const mended = new Map<LocatedItem, MendedItem>()
  const meant: LocatedItem[] = []
  const misshapen = items.flatMap((located, index) => {
    tellProgress(index, items.length)
    const findings = checkShape(reading, located)
    if (findings.length === 0) return []
    unsound.add(located)
    meant.push(meantItem(located, findings, keyOf))
    const without = mendItem(located, findings, keyOf)
    if (without) mended.set(located, without)
    return findings
  })
  const duplicates = findDuplicates(reading, items, shownName)
  for (const located of duplicates.repeated) {
    unsound.add(located)
    mended.delete(located)
  }
  tellProgress(items.length, items.length, expectedMs.toJudge(items.length))
  const refusedAt = new Set(reading.refusals.map(placeKey))
  const findings = [
    ...reading.refusals.map(describeRefusal),
    ...[...misshapen, ...findReworded(reading, items)].filter((found) => !refusedAt.has(placeKey(found))),
    ...duplicates.findings,
    ...findRuleBreaches(reading, items, { unsound, mended, meant }, shownName),
  ]
  const ordered = orderFindings(findings, reading).map((found) => ({ ...found, file: shownName(found.file) }))
  return { findings: ordered, items: reading.items, files: reading.files }
}

/** Tells places apart, by their ends, too: a value that is refused begins where what it is in may begin, such as an item. */
const placeKey = ({ file, line, col, endLine, endCol }: Omit<FileRefusal, 'rule' | 'message'>) =>
  `${file}\0${line}:${col}-${endLine}:${endCol}`

/** The problems that the server answers with where it refuses the same. */
const refusalProblems: Partial<Record<RefusalRule, { code: number; codeName: string }>> = {
  'format-version': { code: 3006, codeName: 'catalog.format_version' },
  head: { code: ruleCodes['license.validation_error'], codeName: 'license.validation_error' },
}

function describeRefusal({ rule, ...place }: FileRefusal): UnframedFinding {
  const problem = refusalProblems[rule] ?? { code: null, codeName: `file.${rule}` }
  return { ...place, severity: 'error', ...problem, pointer: '' }
}
