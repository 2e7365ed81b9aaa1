import { keyOf, keyText, matchKey, type ProductName, productText } from '../../catalog-schema/keys.ts'
import type { Kind } from '../../catalog-schema/order.ts'
import type { Readable } from '../database/database.ts'
import { yes } from '../kit/flags.ts'
import { columnOf } from '../kit/records/columns.ts'
import { rooms } from './rooms.ts'

/** When something was changed, and by whom. */
export interface Write {
  at: number
  by: string
}

/** A record that has or had a key: who last gave it, or what it is named with, another name, or deleted it, and its key by now. */
export interface Holder {
  renamed?: Write
  now?: string
}

/** What became of a key. */
export interface KeyHistory {
  /** Who gave it up last, by deleting the record that had it, or by giving that, or what it is named with, another name. */
  givenUp?: Write
  /** The record that gave it up first after the instant that was asked for: which had it then. */
  had?: Holder
  /** The record that has it now. */
  has?: Holder
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
  const found = new Map<string, Write>()
  for (const [kind, wanted] of wantedOf(keys)) {
    const pasts = await readPasts(readable, tenantId, kind, async () => undefined)
    for (const [key, { givenUp }] of historiesOf(wanted, pasts, 0)) if (givenUp) found.set(key, givenUp)
  }
  return found
}

/** What became of each of these keys, by the key as matchKey folds it, since an instant, such as that of the last import. */
export async function findKeyHistories(
  readable: Readable,
  tenantId: string,
  keys: readonly Named[],
  since: number,
): Promise<ReadonlyMap<string, KeyHistory>> {
  const found = new Map<string, KeyHistory>()
  const read = new Map<Kind, Promise<Renaming[]>>()
  const renamingsOf = (kind: Kind) => {
    const renamings = read.get(kind) ?? readRenamings(readable, tenantId, kind, since)
    read.set(kind, renamings)
    return renamings
  }
  for (const [kind, wanted] of wantedOf(keys)) {
    const pasts = await readPasts(readable, tenantId, kind, renamingsOf)
    for (const [key, history] of historiesOf(wanted, pasts, since)) found.set(key, history)
  }
  return found
}

const wantedOf = (keys: readonly Named[]): [Kind, ReadonlySet<string>][] =>
  [...Map.groupBy(keys, ({ kind }) => kind)].map(([kind, named]) => [
    kind,
    new Set(named.map(({ key }) => matchKey(kind, key))),
  ])

/** A record's key, undefined when it is deleted, and the keys that it gave up, the last first. */
interface Past {
  now: string | undefined
  givenUp: (Write & { key: string })[]
}

function historiesOf(
  wanted: ReadonlySet<string>,
  pasts: readonly Past[],
  since: number,
): ReadonlyMap<string, KeyHistory> {
  const histories = new Map<string, KeyHistory>()
  const firstAt = new Map<string, number>()
  for (const { now, givenUp } of pasts) {
    const holder = { renamed: givenUp[0], now }
    for (const { key, at, by } of givenUp) {
      if (!wanted.has(key)) continue
      const known = histories.get(key) ?? {}
      if (!(known.givenUp && known.givenUp.at >= at)) known.givenUp = { at, by }
      if (at > since && at < (firstAt.get(key) ?? Number.POSITIVE_INFINITY)) {
        known.had = holder
        firstAt.set(key, at)
      }
      histories.set(key, known)
    }
    if (now !== undefined && wanted.has(now)) histories.set(now, { ...histories.get(now), has: holder })
  }
  return histories
}

/** The pasts of the records of a kind, as far as their deletion and what is known of their renamings tell; of the deleted ones alone where none are. */
async function readPasts(
  readable: Readable,
  tenantId: string,
  kind: Kind,
  renamingsOf: (kind: Kind) => Promise<readonly Renaming[] | undefined>,
): Promise<Past[]> {
  const chain: Kind[] = [kind]
  for (let above = namings[kind].namedWith; above; above = namings[above[0]].namedWith) chain.push(above[0])
  const rowsOf = new Map<Kind, Map<string, Row>>()
  const renamings = new Map<string, Renaming[]>()
  for (const one of chain) {
    const known = await renamingsOf(one)
    const rows = await readRows(readable, tenantId, one, one === kind && known === undefined)
    rowsOf.set(one, new Map(rows.map((row) => [String(row.id), row])))
    for (const [id, ofRecord] of Map.groupBy(known ?? [], (renaming) => renaming.id)) renamings.set(id, ofRecord)
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

/** What the audit log knows of a kind's names since an instant, the newest first; it has the fields of a change by their pointers. */
async function readRenamings(readable: Readable, tenantId: string, kind: Kind, since: number): Promise<Renaming[]> {
  const { fields, recordKinds } = namings[kind]
  const entries = await readable
    .selectFrom('audit_entries')
    .select(['record_id', 'occurred_at', 'actor', 'before', 'after'])
    .where('tenant_id', '=', tenantId)
    .where('occurred_at', '>', since)
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
