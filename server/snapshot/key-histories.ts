import { keyOf, keyText, matchKey, type ProductName, productText } from '../../catalog-schema/keys.ts'
import type { Kind } from '../../catalog-schema/order.ts'
import type { Readable } from '../database/database.ts'
import { yes } from '../kit/flags.ts'
import { rooms } from './rooms.ts'

/** When something was changed, and by whom. */
export interface Write {
  at: number
  by: string
}

/** What became of a key. */
export interface KeyHistory {
  /** Who gave it up last, by deleting the record that had it, or by giving that, or what it is named with, another name. */
  givenUp?: Write
  /** The last change of that kind of the record that has the key, or else of the one that had it last. */
  renamed?: Write
  /** The key that this record has now; undefined when it is deleted. */
  now?: string
}

export interface Named {
  kind: Kind
  key: string
}

type Row = Record<string, string | number | null>
type Name = Record<string, unknown>

/** The fields that name a kind's records, with the column of the record that they are named with, and how the audit log calls them. */
interface Naming {
  fields: readonly string[]
  namedWith?: [kind: Kind, column: string]
  recordKinds: readonly string[]
}

const namings: Record<Kind, Naming> = {
  tag: { fields: ['scope', 'name'], recordKinds: ['tags'] },
  product: { fields: ['productCode', 'productVersion'], recordKinds: ['products'] },
  feature: { fields: ['featureCode'], namedWith: ['product', 'product_id'], recordKinds: ['featureCatalog'] },
  monitoredAsset: { fields: ['metricName'], namedWith: ['product', 'product_id'], recordKinds: ['monitoredAssets'] },
  suite: { fields: ['code'], namedWith: ['product', 'own_product_id'], recordKinds: ['suites'] },
  planSet: { fields: ['name'], namedWith: ['suite', 'suite_id'], recordKinds: ['planSets'] },
  addOn: { fields: ['code'], recordKinds: ['addOns'] },
  entitlementOffer: { fields: ['name', 'version'], recordKinds: ['offers', 'entitlements'] },
  ratingCampaign: { fields: ['name'], recordKinds: ['ratingCampaigns'] },
}

/** The last deletion of each of these keys, by the key as matchKey folds it; keys that no deleted record had are left out. */
export async function findDeletions(
  readable: Readable,
  tenantId: string,
  keys: readonly Named[],
): Promise<ReadonlyMap<string, Write>> {
  const histories = await findHistories(readable, tenantId, keys, () => false)
  return new Map([...histories].flatMap(([key, { givenUp }]) => (givenUp ? [[key, givenUp]] : [])))
}

/**
 * What became of each of these keys, by the key as matchKey folds it. The audit log is read for kinds of which a key was not
 * deleted after `since`, such as the last import that had it.
 */
export const findKeyHistories = (readable: Readable, tenantId: string, keys: readonly Named[], since: number) =>
  findHistories(readable, tenantId, keys, (history) => !(history?.givenUp && history.givenUp.at > since))

async function findHistories(
  readable: Readable,
  tenantId: string,
  keys: readonly Named[],
  isUnexplained: (history: KeyHistory | undefined) => boolean,
): Promise<ReadonlyMap<string, KeyHistory>> {
  const found = new Map<string, KeyHistory>()
  for (const [kind, named] of Map.groupBy(keys, (one) => one.kind)) {
    const wanted = new Set(named.map(({ key }) => matchKey(kind, key)))
    let histories = historiesOf(wanted, await readPasts(readable, tenantId, kind, false))
    if ([...wanted].some((key) => isUnexplained(histories.get(key))))
      histories = historiesOf(wanted, await readPasts(readable, tenantId, kind, true))
    for (const [key, history] of histories) found.set(key, history)
  }
  return found
}

/** A record's key, undefined when it is deleted, and the keys that it gave up, the last first. */
interface Past {
  now: string | undefined
  givenUp: (Write & { key: string })[]
}

function historiesOf(wanted: ReadonlySet<string>, pasts: readonly Past[]): ReadonlyMap<string, KeyHistory> {
  const histories = new Map<string, KeyHistory>()
  for (const { now, givenUp } of pasts)
    for (const { key, at, by } of givenUp)
      if (wanted.has(key) && !((histories.get(key)?.givenUp?.at ?? -1) >= at))
        histories.set(key, { givenUp: { at, by }, renamed: givenUp[0], now })
  for (const { now, givenUp } of pasts)
    if (now !== undefined && wanted.has(now)) histories.set(now, { ...histories.get(now), renamed: givenUp[0], now })
  return histories
}

/** The pasts of the deleted records of a kind as far as their deletion tells, or of all as far as the audit log does. */
async function readPasts(readable: Readable, tenantId: string, kind: Kind, isWhole: boolean): Promise<Past[]> {
  const chain: Kind[] = [kind]
  for (let above = namings[kind].namedWith; above; above = namings[above[0]].namedWith) chain.push(above[0])
  const rowsOf = new Map<Kind, Map<string, Row>>()
  const renamings = new Map<string, Renaming[]>()
  for (const one of chain) {
    const rows = await readRows(readable, tenantId, one, one === kind && !isWhole)
    rowsOf.set(one, new Map(rows.map((row) => [String(row.id), row])))
    if (!isWhole) continue
    for (const [id, ofRecord] of Map.groupBy(await readRenamings(readable, tenantId, one), (renaming) => renaming.id))
      renamings.set(id, ofRecord)
  }
  return [...rowsOf.get(kind)!.values()].map((row) => pastOf(kind, row, rowsOf, renamings))
}

/** Goes back from the name that a record has, or had when it was deleted, through what changed its name. */
function pastOf(
  kind: Kind,
  row: Row,
  rowsOf: ReadonlyMap<Kind, ReadonlyMap<string, Row>>,
  renamings: ReadonlyMap<string, readonly Renaming[]>,
): Past {
  const name: Name = {}
  const steps: (Write & { before?: Name })[] = []
  const isDeleted = Number(row.is_deleted) === 1
  const deletion = { at: Number(row.updated_at), by: String(row.updated_by) }
  if (isDeleted) steps.push(deletion)
  for (let [one, held] = [kind, row]; ; ) {
    const { fields, namedWith } = namings[one]
    for (const field of fields) name[field] = held[columnOf(field)]
    steps.push(...(renamings.get(String(held.id)) ?? []))
    const above = namedWith && rowsOf.get(namedWith[0])!.get(String(held[namedWith[1]]))
    if (!above) break
    ;[one, held] = [namedWith[0], above]
  }
  const past: Past = { now: isDeleted ? undefined : keyNamed(kind, name), givenUp: [] }
  for (const step of steps.sort((a, b) => b.at - a.at)) {
    const later = keyNamed(kind, name)
    Object.assign(name, step.before)
    const key = keyNamed(kind, name)
    const isRenaming = key !== later && !(isDeleted && step.at > deletion.at)
    if (step === deletion || isRenaming) past.givenUp.push({ at: step.at, by: step.by, key })
  }
  return past
}

function keyNamed(kind: Kind, name: Name): string {
  const suiteText = (code: string) => (name.productCode ? productText(name as unknown as ProductName) : keyText(code))
  return matchKey(kind, keyOf(kind, { ...name, suiteCode: name.code }, suiteText))
}

const columnOf = (field: string) => field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

async function readRows(readable: Readable, tenantId: string, kind: Kind, onlyDeleted: boolean): Promise<Row[]> {
  const { fields, namedWith } = namings[kind]
  const columns = ['id', 'is_deleted', 'updated_at', 'updated_by', ...fields.map(columnOf)]
  let query = readable
    .selectFrom(rooms[kind].table as 'entitlements')
    .select([...columns, ...(namedWith ? [namedWith[1]] : [])] as 'id'[])
    .where('tenant_id', '=', tenantId)
  if (kind === 'entitlementOffer') query = query.where('is_offer', '=', yes)
  if (onlyDeleted) query = query.where('is_deleted', '=', yes)
  return (await query.execute()) as unknown as Row[]
}

/** Another name that a record was given, and what was another before. */
interface Renaming extends Write {
  id: string
  before: Name
}

/** What the audit log knows of a kind's names, the newest first; it has the fields of a change by their pointers. */
async function readRenamings(readable: Readable, tenantId: string, kind: Kind): Promise<Renaming[]> {
  const { fields, recordKinds } = namings[kind]
  const entries = await readable
    .selectFrom('audit_entries')
    .select(['record_id', 'occurred_at', 'actor', 'before', 'after'])
    .where('tenant_id', '=', tenantId)
    .where('record_kind', 'in', recordKinds)
    .where((eb) =>
      eb.or(fields.flatMap((field) => [eb('before', 'like', `%"/${field}":%`), eb('after', 'like', `%"/${field}":%`)])),
    )
    .orderBy('occurred_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return entries.map(({ record_id, occurred_at, actor, before, after }) => {
    const [were, are] = [before, after].map((text) => JSON.parse(text ?? '{}') as Name)
    const changed = fields.filter((field) => `/${field}` in were! || `/${field}` in are!)
    const names = changed.map((field) => [field, were![`/${field}`] ?? null])
    return { id: String(record_id), at: Number(occurred_at), by: actor, before: Object.fromEntries(names) }
  })
}
