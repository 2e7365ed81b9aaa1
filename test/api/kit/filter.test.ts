import fc from 'fast-check'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { foldText } from '../../../catalog-schema/folding.ts'
import { toCondition } from '../../../server/kit/filter/condition.ts'
import { foldFunction, foldTables } from '../../../server/kit/filter/folding.ts'
import { parseFilter } from '../../../server/kit/filter/grammar.ts'
import { toOrdering } from '../../../server/kit/filter/ordering.ts'
import { parseSortOrder } from '../../../server/kit/filter/sorting.ts'
import { offsetOf } from '../../../server/kit/page.ts'
import { forEachStore } from '../../support/stores.ts'
import { cases, rows } from './filter-cases.ts'
import {
  createFilterTables,
  type FilterTables,
  idField,
  insertPosts,
  openFilterDatabase,
  postFields,
} from './filter-rows.ts'

forEachStore((store) => {
  let database: Kysely<FilterTables>

  beforeAll(async () => {
    database = openFilterDatabase(await store.createDatabase())
    await createFilterTables(database, store.kind)
    for (const [set, posts] of Object.entries(rows)) await insertPosts(database, set, [...posts])
  })
  afterAll(() => database.destroy())

  async function findTitles(set: string, filter: string, sortOrder = 'id', page = { pageNumber: 1, pageSize: 100 }) {
    const found = await database
      .selectFrom('post')
      .select('title')
      .where('post_set', '=', set)
      .where(toCondition(parseFilter(filter), postFields))
      .orderBy(toOrdering(parseSortOrder(sortOrder, postFields, idField)))
      .limit(page.pageSize)
      .offset(offsetOf(page))
      .execute()
    return found.map(({ title }) => title)
  }

  for (const set of Object.keys(rows) as (keyof typeof rows)[]) {
    describe(`among the ${set}`, () => {
      test.each(cases[set].map(([filter, titles, order]) => ({ filter, titles, order })))(
        '$filter finds $titles in the order $order',
        async ({ filter, titles, order }) => {
          const found = await findTitles(set, filter, order)
          expect(order === undefined ? found.toSorted() : found).toEqual(
            order === undefined ? titles.toSorted() : titles,
          )
        },
      )
    })
  }

  test('the largest filter that the limits allow is answered', async () => {
    const names = 'Title|topc|featc|Text|Author'
    const values = Array.from({ length: 100 }, (_, index) => `v${index}`).join('|')
    for (const operator of ['==', '@=', '@=*', '!_-=', '>'])
      expect(await findTitles('posts', `(${names})${operator}${values}`)).toBeInstanceOf(Array)
    expect(await findTitles('posts', Array(50).fill('(Title|topc)!@=*x|z').join())).toHaveLength(5)
  })

  test('pages of equal records are a walk through all of them, none twice', async () => {
    await insertPosts(
      database,
      'ties',
      Array.from({ length: 50 }, (_, index) => ({ title: `t${index}`, likeCount: index % 2 })),
    )
    const walked: string[] = []
    for (let pageNumber = 1; pageNumber <= 8; pageNumber++)
      walked.push(...(await findTitles('ties', '', '-likeCount', { pageNumber, pageSize: 7 })))
    expect(walked).toHaveLength(50)
    expect(new Set(walked).size).toBe(50)
    expect(await findTitles('ties', '', 'id', { pageNumber: 1e12, pageSize: 100 })).toEqual([])
  })

  test('the store folds every cased code point as memory does', async () => {
    const { from } = foldTables()
    const low = Array.from({ length: 0x3000 }, (_, codePoint) => String.fromCodePoint(codePoint || 1)).join('')
    for (const text of [from, low, from + low, 'ASCII only', '', 'no upper case: éß']) {
      const { rows: answers } = await sql<{
        folded: string | null
      }>`select ${sql.raw(foldFunction)}(cast(${text} as text)) as folded`.execute(database)
      expect(answers[0]!.folded).toBe(foldText(text))
    }
    const { rows: missing } = await sql`select ${sql.raw(foldFunction)}(null) as folded`.execute(database)
    expect(missing).toEqual([{ folded: null }])
  })

  test('our own function is called for each row only where the database has none that will do', () => {
    const textOf = (filter: string) =>
      database
        .selectFrom('post')
        .selectAll()
        .where(toCondition(parseFilter(filter), postFields))
        .compile().sql
    expect(textOf('title@=*Kind of|!')).not.toContain(foldFunction)
    expect(textOf('title==*a|é')).toContain(foldFunction)
    expect(textOf('title==a')).not.toContain(foldFunction)
  })

  test('texts and values at random compare as they do in memory', async () => {
    const piece = fc.constantFrom(...'aAbB%_!\\\'"éÉΣσςİiIkK\u212aß*[😀 ', 'null')
    const texts = fc.array(piece, { maxLength: 4 }).map((parts) => parts.join('').trim())
    const sample = fc.sample(texts, { numRuns: 150, seed: 7 })
    const titles = [...new Set(sample)]
    await insertPosts(
      database,
      'random',
      titles.map((title) => ({ title })),
    )
    const operator = fc
      .constantFrom('==', '@=', '_=', '_-=')
      .chain((base) => fc.tuple(fc.constantFrom('', '!'), fc.constant(base), fc.constantFrom('', '*')))
    await fc.assert(
      fc.asyncProperty(operator, fc.array(texts, { minLength: 1, maxLength: 3 }), async ([not, base, star], values) => {
        const written = `${not && base === '==' ? '!=' : not + base}${star}`
        const escaped = values.map((value) =>
          value === 'null' ? '\\null' : value.replace(/[\\,|()=!<>@_*-]/g, '\\$&'),
        )
        const fold = (text: string) => (star ? foldText(text) : text)
        const holds = (title: string, value: string) =>
          base === '=='
            ? title === value
            : base === '@='
              ? title.includes(value)
              : base === '_='
                ? title.startsWith(value)
                : title.endsWith(value)
        const expected = titles.filter(
          (title) => values.some((value) => holds(fold(title), fold(value))) !== (not === '!'),
        )
        expect(
          await findTitles('random', `title${written}${escaped.join('|')}`, 'title', { pageNumber: 1, pageSize: 1000 }),
        ).toEqual(expected.toSorted(byCodePoint))
      }),
      { numRuns: 300 },
    )
  })
})

function byCodePoint(left: string, right: string) {
  return Buffer.compare(Buffer.from(left), Buffer.from(right))
}
