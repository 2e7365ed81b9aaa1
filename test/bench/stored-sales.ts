import Database from 'better-sqlite3'
import pg from 'pg'
import type { Served } from './served.ts'

/** What was sold once through the API, and is sold many times here: an entitlement with a meter and one uploaded record. */
export interface Sold {
  entitlementId: string
}

/** How many records each of the entitlements has uploaded. */
export const recordsEach = 10

/** SQL that runs against the server's own database, beside the server. */
export interface Beside {
  /** The rows of a query, read at once. */
  ask(text: string): Promise<Record<string, unknown>[]>
  close(): Promise<void>
}

/** Opens the server's own database. */
export async function openBeside({ databaseUrl }: Served): Promise<Beside> {
  if (databaseUrl.startsWith('sqlite:')) {
    const database = new Database(databaseUrl.slice('sqlite:'.length), { timeout: 60_000 })
    return {
      ask: async (text) => {
        const statement = database.prepare(text)
        if (statement.reader) return statement.all() as Record<string, unknown>[]
        statement.run()
        return []
      },
      close: async () => void database.close(),
    }
  }
  const client = new pg.Client(databaseUrl)
  await client.connect()
  return { ask: async (text) => (await client.query(text)).rows, close: () => client.end() }
}

/** Stores so many entitlements more, each like the one that was sold, and what each uploaded; without the server. */
export async function storeSales({ ask }: Beside, store: Served['store'], sold: Sold, count: number): Promise<void> {
  const { entitlementId } = sold
  const number = (n: string) => (store === 'sqlite' ? `printf('%012d', ${n})` : `lpad((${n})::text, 12, '0')`)
  const idOf = (kind: string, n: string) => `'00000000-0000-7000-${kind}-' || ${number(n)}`
  const counting = (rows: number) =>
    store === 'sqlite'
      ? `(with recursive c (n) as (select 1 union all select n + 1 from c where n < ${rows}) select n from c) as c`
      : `generate_series(1, ${rows}) as c (n)`
  const copy = async (table: string, where: string, replaced: Record<string, string>, rows = count) => {
    const [one] = await ask(`select * from ${table} where ${where}`)
    if (!one) throw new Error(`nothing was sold that has a row in ${table}`)
    const columns = Object.keys(one)
    const values = columns.map((column) => replaced[column] ?? `one.${column}`)
    await ask(`insert into ${table} (${columns.join(', ')}) select ${values.join(', ')}
from (select * from ${table} where ${where} limit 1) as one cross join ${counting(rows)}`)
  }
  const ofSold = `entitlement_id = '${entitlementId}'`
  const entitlement_id = idOf('8000', 'c.n')
  await copy('entitlements', `id = '${entitlementId}'`, { id: entitlement_id })
  await copy('entitlement_products', ofSold, { entitlement_id })
  await copy('meters', ofSold, { id: idOf('8001', 'c.n'), entitlement_id })
  await copy('meter_states', ofSold, { meter_id: idOf('8001', 'c.n'), entitlement_id })
  const uploader = idOf('8000', `1 + (c.n - 1) / ${recordsEach}`)
  await copy(
    'usage_transactions',
    ofSold,
    { scope_id: uploader, entitlement_id: uploader, transaction_id: `c.n % ${recordsEach}` },
    count * recordsEach,
  )
  for (const after of store === 'sqlite' ? ['analyze'] : ['vacuum analyze', 'checkpoint']) await ask(after)
}
