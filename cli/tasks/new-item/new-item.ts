import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { keyOf, matchKey, type ProductName } from '../../../catalog-schema/keys.ts'
import { type Kind, sectionOf } from '../../../catalog-schema/order.ts'
import { appendItem } from '../../catalog-files/appending.ts'
import { decodeText } from '../../catalog-files/decoding.ts'
import type { CatalogSource } from '../../catalog-files/directory.ts'
import { readCatalogSource } from '../../catalog-files/directory.ts'
import { scalarText } from '../../catalog-files/formatting/scalar-text.ts'
import { type LocatedItem, locateItems } from '../../catalog-files/located-items.ts'
import { readSnapshot } from '../../catalog-files/snapshot-reading.ts'
import { directoryLock, whileLocked } from '../../locks.ts'
import { Problem } from '../../problems.ts'
import { findProjectFile } from '../../project-file.ts'
import { catalogDirectory } from '../../sides/side.ts'
import { refuseWriting, writeWhole } from '../../whole-files.ts'
import { isInside, realPathOf } from '../../workspace-paths.ts'
import { validateCatalog } from '../validate.ts'
import { type FilledItem, fillItem } from './filling.ts'
import { nameField, placeholderNames, readItemName } from './naming.ts'
import { skeletonLines } from './skeleton.ts'

/** What was made: the key of the item, and the text of the file that holds it. */
export interface NewItem {
  kind: Kind
  key: string
  text: string
  /** Null when it is only shown. */
  file: string | null
  /** The directory of the catalog that the file is part of; null when it is only shown. */
  catalog: string | null
}

/** A file of its own with a new item of a kind; what it names is said to be elsewhere, so that the file is valid by itself. Raises cli.usage. */
export async function showItem(kind: Kind, name: string | undefined): Promise<NewItem> {
  const root = await catalogDirectory(undefined)
  const held = await heldItems(root).catch(() => [])
  const { item, key } = await fill(kind, name, root, held)
  const text = [...elsewhere(item), ...section(kind, item)].join('\n').concat('\n')
  refuseWrong({ files: [{ name: 'new.yaml', bytes: Buffer.from(text) }], refusals: [] }, 'new.yaml')
  return { kind, key, text, file: null, catalog: null }
}

/** A new item of a kind put into a file of the catalog, behind what is there; a new file if there is none. Raises cli.usage, cli.output. */
export async function writeItem(kind: Kind, name: string | undefined, file: string): Promise<NewItem> {
  if (!/\.ya?ml$/i.test(file))
    throw new Problem('cli.usage', `${file} must end in .yaml or .yml: comments have no place elsewhere.`)
  const root = await rootOf(file)
  return whileLocked(directoryLock(root), root, () => writeInTurn(kind, name, file, root))
}

async function writeInTurn(kind: Kind, name: string | undefined, file: string, root: string): Promise<NewItem> {
  const held = await heldItems(root)
  const { item, key } = await fill(kind, name, root, held)
  const missing = item.mentions.find((mention) => !isHeld(held, mention))
  if (missing !== undefined)
    throw new Problem('cli.usage', `A new ${kind} belongs to something, and ${root} has no ${missing}.`, {
      hint: `licet catalog new ${missing.split(':')[0]} --file ${file}, or name one that there is`,
    })
  const before = existsSync(file) ? await readBefore(file) : ''
  const text = appendItem(before, sectionOf[kind], skeletonLines(kind, item.values))
  if (text === undefined)
    throw new Problem(
      'cli.output',
      `Nothing was written: ${file} is laid out so that nothing can be put behind its ${sectionOf[kind]}.`,
      {
        hint: `put what "licet catalog new" prints where it belongs`,
      },
    )
  await refuseAddedErrors(root, file, text)
  await writeWhole(file, text)
  return { kind, key, text, file, catalog: root }
}

/** What the file holds. Raises cli.output where it has bytes that writing it anew would not keep. */
async function readBefore(file: string): Promise<string> {
  const bytes = await readFile(file).catch((cause) => refuseWriting(file, cause))
  const { text, refusals } = decodeText(bytes)
  const [refusal] = refusals
  if (refusal === undefined) return text
  throw new Problem('cli.output', `Nothing was written: ${file}:${refusal.line}:${refusal.col} ${refusal.message}`)
}

async function fill(kind: Kind, name: string | undefined, root: string, held: readonly LocatedItem[]) {
  const products = held.filter((one) => one.kind === 'product').map(({ item }) => item as unknown as ProductName)
  const suiteCodes = held.filter((one) => one.kind === 'suite').map(({ item }) => String(item.code))
  const make = (named: Record<string, string>) => {
    const item = fillItem(kind, named, { products, suiteCodes })
    return { item, key: keyOf(kind, item.values) }
  }
  if (name !== undefined) {
    const made = make(readItemName(kind, name))
    const [there] = findHeld(held, made.key)
    if (there === undefined) return made
    const hint = `another name, or edit it in ${join(root, there.origin.file)}`
    throw new Problem('cli.usage', `The catalog has ${made.key} already.`, { hint })
  }
  for (let count = 1; ; count++) {
    const made = make({ [nameField[kind]]: `${placeholderNames[kind]}${count === 1 ? '' : `-${count}`}` })
    if (!isHeld(held, made.key)) return made
  }
}

const isHeld = (held: readonly LocatedItem[], key: string) => findHeld(held, key).length > 0

/** What a catalog has of what a key names; a product's own suite is there with the product. */
function findHeld(held: readonly LocatedItem[], key: string): LocatedItem[] {
  const own = key.startsWith('suite:') ? key.replace('suite:', 'product:') : key
  return held.filter((one) => [key, own].some((each) => matchKey(one.kind, one.key) === matchKey(one.kind, each)))
}

const section = (kind: Kind, { values }: FilledItem) => [
  `${sectionOf[kind]}:`,
  ...skeletonLines(kind, values).map((line) => `  ${line}`),
]

function elsewhere({ mentions }: FilledItem): string[] {
  if (mentions.length === 0) return []
  const why = '# What is named below and not written here; leave this out in a catalog that has it.'
  return [why, 'references:', ...mentions.flatMap((key) => [`  ${scalarText(key)}:`, '    presence: External']), '']
}

async function heldItems(root: string): Promise<LocatedItem[]> {
  if (!existsSync(root)) return []
  return locateItems(readSnapshot(await readCatalogSource(root)))
}

/**
 * The catalog that a file is part of: the one that licet.yaml names when it lies in there, else the nearest directory, upward to
 * the working one, in which there is a product (in the working one itself, not only below it: it may hold several catalogs), or
 * the directory of the file.
 */
async function rootOf(file: string): Promise<string> {
  const folder = dirname(file)
  if ((await findProjectFile())?.catalog !== undefined) {
    const project = await catalogDirectory(undefined)
    return isInside(relative(realPathOf(project), realPathOf(folder))) ? project : folder
  }
  if (!isInside(relative('.', folder))) return folder
  for (let directory = folder; ; directory = dirname(directory)) {
    const isLast = relative('.', directory) === ''
    const held = await heldItems(directory).catch(() => [])
    const isPart = ({ kind, origin }: LocatedItem) => kind === 'product' && !(isLast && origin.file.includes('/'))
    if (held.some(isPart)) return directory
    if (isLast) return folder
  }
}

/** The catalog has no errors, with the file as it would be, that it does not have without. */
async function refuseAddedErrors(root: string, file: string, text: string): Promise<void> {
  const source = existsSync(root) ? await readCatalogSource(root) : { files: [], refusals: [] }
  const before = new Set(errorsOf(source).map(({ message }) => message))
  const real = realPathOf(file)
  // A link is read under the name of the file that it leads to, when that is one of the catalog.
  const held = source.files.find((one) => realPathOf(join(root, one.name)) === real)
  const name = held?.name ?? relative(realPathOf(root), real).split(sep).join('/')
  const files = [...source.files.filter((one) => one.name !== name), { name, bytes: Buffer.from(text) }]
  const added = errorsOf({ ...source, files }).filter(({ message }) => !before.has(message))
  if (added.length > 0) throw wrong(added, file)
}

function refuseWrong(source: CatalogSource, file: string): void {
  const errors = errorsOf(source)
  if (errors.length > 0) throw wrong(errors, file)
}

const errorsOf = (source: CatalogSource) =>
  validateCatalog(source).findings.filter(({ severity }) => severity === 'error')

const wrong = (errors: ReturnType<typeof errorsOf>, file: string) =>
  new Problem('cli.usage', `Nothing was written: that name is not possible.`, {
    errors: errors.map((error) => ({ ...error, file })),
  })
