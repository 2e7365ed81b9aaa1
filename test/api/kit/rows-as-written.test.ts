import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../../server/database/open.ts'
import { insertStatements, runStatements } from '../../../server/kit/records/store.ts'
import { forEachStore } from '../../support/stores.ts'

interface Row {
  place: number
  words: string | null
  more: string
  size: number | null
  share: number | null
}

const words = fc.oneof(
  fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0')),
  fc.constantFrom(
    '',
    'NULL',
    'null',
    '{}',
    '{"a","b"}',
    '\\',
    '"',
    '\\"',
    ',',
    ' ',
    '\ufeff',
    'ß\u0301',
    '😀',
    'x'.repeat(9000),
  ),
)
const size = fc.oneof(fc.maxSafeInteger(), fc.constantFrom(0, -1))
const share = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (value === 0 ? 0 : value))
/** Rows of which some columns are the same in all, or empty in all. */
const rows = fc
  .record({
    words: fc.constantFrom('all', 'some', 'none'),
    more: fc.boolean(),
    size: fc.boolean(),
    share: fc.boolean(),
  })
  .chain((varies) =>
    fc.tuple(
      fc.record({ words: fc.option(words), more: words, size: fc.option(size), share: fc.option(share) }),
      fc.array(
        fc.record({
          ...(varies.words === 'none' ? {} : { words: varies.words === 'all' ? words : fc.option(words) }),
          ...(varies.more ? { more: words } : {}),
          ...(varies.size ? { size: fc.option(size) } : {}),
          ...(varies.share ? { share: fc.option(share) } : {}),
        }),
        { minLength: 1, maxLength: 12 },
      ),
    ),
  )
  .map(([same, own]): Row[] => own.map((one, place) => ({ place, ...same, ...one }) as Row))

forEachStore((store) => {
  test('rows are read back as they were written, whatever is the same in all of them', async () => {
    const database = openDatabase(await store.createDatabase())
    onTestFinished(() => database.close())
    const real = store.kind === 'postgres' ? 'double precision' : 'real'
    const columns = sql.raw(`place integer, words text, more text not null, size bigint, share ${real}`)
    await sql`create table things (${columns})`.execute(database.schema)
    await fc.assert(
      fc.asyncProperty(rows, async (written) => {
        const read = await database.transact(async (tx) => {
          await runStatements(tx, insertStatements(store.kind, 'things' as never, written as never))
          const found = await sql<Row>`delete from things returning *`.execute(tx)
          return found.rows
        })
        expect(read.toSorted((a, b) => a.place - b.place)).toEqual(written)
      }),
      { numRuns: 300 },
    )
  })

  test('rows that are all the same are as many as were written, and none are none', async () => {
    const database = openDatabase(await store.createDatabase())
    onTestFinished(() => database.close())
    await sql`create table things (words text, more text)`.execute(database.schema)
    const insert = (...written: object[]) =>
      database.transact((tx) => runStatements(tx, insertStatements(store.kind, 'things' as never, written as never)))
    const same = { words: 'a', more: null }
    await insert(same, same, same)
    await insert({ words: null, more: null }, { words: null, more: null })
    await insert()
    const { rows } =
      await sql`select words, more, count(*) as "count" from things group by words, more order by words`.execute(
        database.read,
      )
    expect(rows).toHaveLength(2)
    expect(rows).toEqual(
      expect.arrayContaining([
        { ...same, count: 3 },
        { words: null, more: null, count: 2 },
      ]),
    )
  })
})
