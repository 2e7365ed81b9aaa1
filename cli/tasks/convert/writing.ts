import { statSync } from 'node:fs'
import { join } from 'node:path'
import { kinds, type Section, sectionOf } from '../../../catalog-schema/order.ts'
import type { Snapshot } from '../../../catalog-schema/snapshot.ts'
import { groupItems, placeItems } from '../../catalog-files/layout.ts'
import { findStanding, publishFiles } from '../../catalog-files/publishing.ts'
import { modeline, renderFile } from '../../catalog-files/rendering.ts'
import { directoryLock, whileLocked } from '../../locks.ts'
import { Problem } from '../../problems.ts'
import { duringWork } from '../../progress.ts'

/** A file of a catalog directory: its name below the directory, with `/`, and its text. */
export interface CatalogFile {
  name: string
  text: string
}

/** The sections that a price list speaks of. */
const made: readonly Section[] = ['featureCatalog', 'monitoredAssets', 'plans', 'addOns']

/**
 * The files of a converted catalog in the default layout. Unlike an export, which leaves out nulls and defaults, items
 * are written just as the price list speaks: a price that became null must reach the environment that has a number. What
 * price lists have none of stands empty beside the products, so that a compare tells what the environment has of it.
 */
export function layOutCatalog(snapshot: Snapshot): CatalogFile[] {
  return [...placeItems(groupItems(snapshot), [], [])].map(([name, placed]) => {
    const codes = new Set(placed.flatMap(({ kind, item }) => (kind === 'product' ? [item.productCode] : [])))
    const hasNone = (section: Section) =>
      !snapshot[section]?.some((item) => codes.has(item.suiteCode ?? item.productCode)) && made.includes(section)
    const sections = kinds.map((kind) => [sectionOf[kind], placed.filter((item) => item.kind === kind)] as const)
    const content = Object.fromEntries(
      sections
        .filter(([section, items]) => items.length > 0 || (codes.size > 0 && hasNone(section)))
        .map(([section, items]) => [section, items.map(({ item }) => item)]),
    )
    return { name, text: renderFile(name, content, '').replace(modeline, '') }
  })
}

/**
 * Writes the files below a directory, all or none; raises cli.output when one is there already, says something else, and
 * `force` is not given, and when the directory is a file.
 */
export async function writeCatalogFiles(directory: string, files: readonly CatalogFile[], force: boolean) {
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() === false)
    throw new Problem('cli.output', `${directory} is a file, where a directory is wanted; nothing was written.`, {
      hint: 'name a directory with --out, which is made where there is none',
    })
  await whileLocked(directoryLock(directory), directory, (interrupted) =>
    writeInTurn(directory, files, force, interrupted),
  )
}

async function writeInTurn(directory: string, files: readonly CatalogFile[], force: boolean, interrupted: AbortSignal) {
  const [first, ...more] = force ? [] : await findStanding(directory, files)
  if (first !== undefined) {
    const others = more.length > 0 ? ` (and ${more.length} more)` : ''
    throw new Problem('cli.output', `${join(directory, first)} is there already${others}; nothing was written.`, {
      hint: '--force replaces it, or choose another directory with --out.',
    })
  }
  await duringWork(`Writing ${directory}`, () => publishFiles(directory, files, interrupted))
}
