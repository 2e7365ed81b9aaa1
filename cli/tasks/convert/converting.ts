import { basename } from 'node:path'
import { readCatalogSource } from '../../catalog-files/directory.ts'
import { readSnapshot } from '../../catalog-files/snapshot-reading.ts'
import { inputName, readInput } from '../../input-files.ts'
import { Problem } from '../../problems.ts'
import { duringWork } from '../../progress.ts'
import { findDoubled } from './doubled.ts'
import { placeText } from './grouping.ts'
import { type JoinedPriceLists, joinPriceLists, type PriceListFile } from './joining.ts'
import { findLeftOver } from './left-over.ts'
import { layOutCatalog, writeCatalogFiles } from './writing.ts'

export interface Conversion {
  /** The price lists; `-` for stdin. */
  paths: readonly string[]
  productCode: string | undefined
  /** The directory that is written to. */
  out: string
  /** Whether files that are there already are replaced. */
  force: boolean
}

/**
 * Writes the catalog that price lists make together, and answers which files it has, what was left out, what is left over, and what
 * stands twice.
 * Raises cli.input with each error at its place, and cli.output; nothing has been written then.
 */
export async function convertPriceLists({ paths, productCode, out, force }: Conversion) {
  const { snapshot, products, errors, warnings } = await duringWork('Reading price lists', async () => {
    const files: PriceListFile[] = []
    for (const path of paths) files.push({ name: inputName(path), bytes: await readInput(path) })
    return joinPriceLists(files, { productCode })
  })
  if (errors.length > 0) throw wrongLists(errors, paths)
  const written = layOutCatalog(snapshot)
  await writeCatalogFiles(out, written, force)
  const source = await duringWork(`Reading ${out}`, () => readCatalogSource(out))
  const reading = readSnapshot(source)
  const files = written.map(({ name }) => name)
  const leftOver = findLeftOver(out, reading, snapshot)
  const doubled = findDoubled(out, reading, files)
  const converted = { directory: out, files, products, warnings: [...warnings, ...leftOver, ...doubled] }
  return { converted, leftOver, doubled }
}

function wrongLists(errors: JoinedPriceLists['errors'], paths: readonly string[]): Problem {
  const count = errors.length === 1 ? 'an error' : `${errors.length} errors`
  const wrong = new Set(errors.map(({ file }) => file)).size
  const what = paths.length === 1 ? basename(inputName(paths[0]!)) : `${wrong} of ${paths.length} price lists`
  return new Problem('cli.input', `Nothing was written: ${count} in ${what}.`, {
    errors: errors.map((error) => ({ path: placeText(error), ...error })),
  })
}
