import { matchKey } from '../../../catalog-schema/keys.ts'
import { CatalogModel } from '../../../catalog-schema/model.ts'
import { type kindOfSection, sectionOf, sections } from '../../../catalog-schema/order.ts'
import { planImport } from '../../../catalog-schema/plan.ts'
import { checkSnapshot, formatVersion, type Snapshot } from '../../../catalog-schema/snapshot.ts'
import { groupItems } from '../../catalog-files/layout.ts'
import { readSourceFile } from '../../catalog-files/snapshot-reading.ts'
import type { Reading } from '../../catalog-files/yaml-reading.ts'
import { type ConvertedPriceList, convertPriceList } from './price-list.ts'

/** A remark with its place in a file; line and column count from 1. */
export interface LocatedRemark {
  file: string
  line: number
  col: number
  subject: string
  message: string
}

export interface PriceListFile {
  name: string
  bytes: Uint8Array
}

/** Several price lists as one catalog; with errors the snapshot is not to be used. */
export interface JoinedPriceLists {
  snapshot: Snapshot
  products: { productCode: string; file: string }[]
  errors: LocatedRemark[]
  warnings: LocatedRemark[]
}

interface Read {
  file: string
  reading: Reading
  list: ConvertedPriceList
}

/** What a catalog file may not hold but a price list may, where it is text, sure, or warned of: `.inf`, too many digits, `00.00`. */
const tolerated: readonly string[] = ['not-finite', 'lost-digits', 'leading-zero']

/**
 * The catalog that price lists of different services make together. Whatever the schema and the rules of a catalog
 * would refuse is an error at the place of the price list that it comes from.
 */
export function joinPriceLists(
  files: readonly PriceListFile[],
  options: { productCode?: string } = {},
): JoinedPriceLists {
  const joined: JoinedPriceLists = { snapshot: { formatVersion }, products: [], errors: [], warnings: [] }
  const lists: Read[] = []
  for (const { name: file, bytes } of files) {
    const reading = readSourceFile({ name: file, bytes })
    for (const { rule, message, line, col } of reading.refusals) {
      const remark = { file, line, col, subject: rule, message: rule === 'not-a-mapping' ? notAPriceList : message }
      if (!tolerated.includes(rule)) joined.errors.push(remark)
    }
    if (reading.refusals.some(({ rule }) => !tolerated.includes(rule))) continue
    const written = { spellings: readSpellings(reading), keysInOrder: reading.keysInOrder }
    const list = convertPriceList(reading.value, { ...options, ...written })
    lists.push({ file, reading, list })
    joined.products.push({ productCode: list.productCode, file })
    joined.errors.push(...list.errors.map((remark) => locate(file, reading, remark)))
    const warnings = list.warnings.map((remark) => locate(file, reading, remark))
    joined.warnings.push(...warnings.sort((a, b) => a.line - b.line))
  }
  refuseSameService(lists, joined.errors)
  if (joined.errors.length === 0) join(lists, joined)
  return joined
}

const readSpellings = ({ findReworded, sourceOf }: Reading) =>
  new Map(findReworded().map((pointer) => [pointer, sourceOf(pointer)!]))

const notAPriceList = 'A price list is a mapping with saasName, features, plans and so on; this is something else.'

function locate(file: string, reading: Reading, remark: { pointer: string; subject: string; message: string }) {
  const { value, key } = reading.locate(remark.pointer)
  const { line, col } = key ?? value
  return { file, line, col, subject: remark.subject, message: remark.message }
}

function refuseSameService(lists: readonly Read[], errors: LocatedRemark[]): void {
  const first = new Map<string, string>()
  for (const { file, reading, list } of lists) {
    const earlier = first.get(list.productCode)
    const message = `${earlier} and ${file} both make the product ${list.productCode}: convert them into directories of their own`
    if (earlier === undefined) first.set(list.productCode, file)
    else errors.push(locate(file, reading, { pointer: '/saasName', subject: 'saasName', message }))
  }
}

function join(lists: readonly Read[], joined: JoinedPriceLists): void {
  const origins = new Map<object, { read: Read; originOf(path: readonly string[]): string }>()
  for (const read of lists)
    for (const section of sections) {
      const items = read.list.snapshot[section]
      if (items === undefined) continue
      joined.snapshot[section] ??= []
      joined.snapshot[section].push(...items)
      items.forEach((item, index) => {
        origins.set(item, { read, originOf: (path) => read.list.originOf(section, index, path) })
      })
    }
  const locateMade = (item: object | undefined, path: readonly string[], message: string) => {
    const { read, originOf } = origins.get(item ?? {}) ?? { read: lists[0]!, originOf: () => '' }
    return locate(read.file, read.reading, { pointer: originOf(path), subject: 'catalog', message })
  }
  const known = new Set<string>()
  /** A fault once for each place, and once for each code, which is said wherever it is spoken of. */
  const refuse = (item: object | undefined, fault: string, path: readonly string[] = []) => {
    const field = path.findLast((name) => !/^\d+$/.test(name))
    const message = field === undefined ? fault : `the ${field} made of it ${fault}`
    const remark = locateMade(item, path, message)
    const keys = [`${remark.file}:${remark.line}:${remark.col} ${fault}`]
    if (field !== undefined && codes.includes(field)) keys.push(`${remark.file} ${fault} ${valueAt(item, path)}`)
    if (!keys.some((key) => known.has(key))) joined.errors.push(remark)
    for (const key of keys) known.add(key)
  }
  for (const { pointer, message } of checkSnapshot(joined.snapshot)) {
    const [, section = '', index = '', ...path] = pointer.split('/')
    refuse(joined.snapshot[section as keyof typeof kindOfSection]?.[Number(index)], message, path)
  }
  if (joined.errors.length > 0) return
  const first = new Map<string, object>()
  for (const { kind, key, item } of groupItems(joined.snapshot)) {
    const earlier = first.get(matchKey(kind, key))
    if (earlier === undefined) first.set(matchKey(kind, key), item)
    else {
      const { file, line, col } = locateMade(earlier, [], '')
      refuse(item, `${key} is made here and at ${file}:${line}:${col}: rename one of the two`)
    }
  }
  if (joined.errors.length > 0) return
  for (const { kind, index, message } of planImport(new CatalogModel(), joined.snapshot).errors)
    refuse(index === undefined ? undefined : joined.snapshot[sectionOf[kind]]?.[index], message)
}

const codes = ['productCode', 'suiteCode', 'featureCode', 'usageMetric', 'metricName']
const valueAt = (item: unknown, path: readonly string[]) =>
  path.reduce((value, name) => (value as Record<string, unknown> | undefined)?.[name], item)
