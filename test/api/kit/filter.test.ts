import fc from 'fast-check'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toCondition } from '../../../server/kit/filter/condition.ts'
import { foldFunction, foldTables, foldText } from '../../../server/kit/filter/folding.ts'
import { parseFilter } from '../../../server/kit/filter/grammar.ts'
import { toOrdering } from '../../../server/kit/filter/ordering.ts'
import { parseSortOrder } from '../../../server/kit/filter/sorting.ts'
import { offsetOf } from '../../../server/kit/page.ts'
import { forEachStore } from '../../support/stores.ts'
import {
  createFilterTables,
  type FilterTables,
  idField,
  insertPosts,
  openFilterDatabase,
  postFields,
} from './filter-rows.ts'

const operators = 'A == != > < >= <= @= _= _-= !@= !_= !_-= @=* _=* _-=* ==* !=* !@=* Z'
const longNull = 'This text contains null somewhere in the middle'
const rows = {
  posts: [
    {
      title: 'A',
      likeCount: 100,
      isDraft: 1,
      categoryId: null,
      topText: 'A1',
      topId: 0,
      featText: 'A2',
      tags: ['red', 'Blue'],
    },
    { title: 'B', likeCount: 50, isDraft: 0, categoryId: 1, topText: 'B1', topId: 3, featText: 'B2', tags: ['blue'] },
    { title: 'C', likeCount: 0, isDraft: 0, categoryId: 1, topText: 'C1', topId: 2, featText: 'C2', tags: [] },
    { title: 'D', likeCount: 3, isDraft: 1, categoryId: 2, topText: 'D1', topId: 1, featText: 'D2', tags: ['red'] },
    {
      title: 'Yen',
      likeCount: 5,
      isDraft: 1,
      categoryId: 5,
      topText: 'Yen3',
      topId: 4,
      featText: 'Yen4',
      tags: ['100%', 'a_b'],
    },
  ],
  texts: [
    'Here is, another comment',
    'a text with braces, comma',
    'braces (|) here',
    'Here is | a comment',
    'Here is | another comment',
    'Here is \\| another comment(1)',
    'E\\',
    operators,
  ].map((title) => ({ title })),
  nulls: [
    { title: '0', featText: longNull, topText: 'Cat' },
    { title: '1', featText: 'null is the first word, and the last is null', topText: 'Cat' },
    { title: '2', featText: 'no n*ll here', topText: 'Dog' },
    { title: '100', featText: null, topText: 'null' },
  ],
  marks: ['50% off', '50_off', '50 off', "it's", 'a*b', 'a[b]', '.^$+?{}', 'back\\slash', 'ab', '!ab', '"', ';--'].map(
    (title) => ({ title }),
  ),
  letters: [
    'É',
    'é',
    'E\u0301',
    'ß',
    'ẞ',
    'SS',
    'ss',
    'İ',
    'i',
    'I',
    'ı',
    'Σ',
    'σ',
    'ς',
    'ΟΔΟΣ',
    'οδος',
    '𐐀',
    '𐐨',
    'K',
    'K',
    'Ⅷ',
    'ⅷ',
  ].map((title) => ({ title })),
  order: ['a', 'B', 'b', 'Z', 'é', 'z', '_', '', '\ufffd', '😀', 'Ａ'].map((title) => ({ title })),
  kinds: [
    { title: 'first', createdAt: Date.UTC(2026, 0, 1), price: 1.1, status: 'Draft', leaseFor: 'P7D' },
    {
      title: 'second',
      createdAt: Date.UTC(2026, 0, 1, 0, 0, 0, 1),
      price: 0.1 + 0.2,
      status: 'Published',
      leaseFor: 'PT1H',
    },
    {
      title: 'third',
      createdAt: Date.UTC(2040, 0, 1),
      price: -2e10,
      status: 'Retired',
      likeCount: Number.MAX_SAFE_INTEGER,
    },
    { title: 'fourth' },
  ],
} as const

type Case = readonly [filter: string, titles: string[], order?: string]

const cases: Record<keyof typeof rows, Case[]> = {
  posts: [
    ['', ['A', 'B', 'C', 'D', 'Yen']],
    ['Title@=*a', ['A']],
    ['Title@=a', []],
    ['Title!=*a', ['B', 'C', 'D', 'Yen']],
    ['Title_-=n', ['Yen']],
    ['Title_-=*N', ['Yen']],
    ['Title_-=N', []],
    ['Title!@=D', ['A', 'B', 'C', 'Yen']],
    ['IsDraft==false', ['B', 'C']],
    ['IsDraft!=false', ['A', 'D', 'Yen']],
    ['CategoryId==1', ['B', 'C']],
    ['CategoryId!=1', ['D', 'Yen']],
    ['CategoryId<9007199254740991', ['B', 'C', 'D', 'Yen']],
    ['CategoryId==1|null', ['A', 'B', 'C']],
    ['CategoryId!=1|null', ['D', 'Yen']],
    ['CategoryId!=1|2', ['Yen']],
    ['LikeCount==50', ['B']],
    ['LikeCount==5e1', ['B']],
    ['LikeCount>3,LikeCount<=50', ['B', 'Yen']],
    ['LikeCount>50|3', ['A', 'B', 'Yen']],
    ['LikeCount<9007199254740991', ['A', 'B', 'C', 'D', 'Yen']],
    ['(Title|LikeCount)==3', ['D']],
    ['Title|LikeCount==3', ['D']],
    ['CategoryId==1,(CategoryId|LikeCount)==50', ['B']],
    ['(CategoryId|LikeCount)==50,CategoryId==1', ['B']],
    ['Title==D, (Title|LikeCount)==3', ['D']],
    ['Title==C|D', ['C', 'D']],
    ['Title!=C|D', ['A', 'B', 'Yen']],
    ['Title!@=C|D', ['A', 'B', 'Yen']],
    ['(Title|CategoryId)!=1', ['A', 'B', 'C', 'D', 'Yen']],
    ['TopComment.Text!@=A', ['B', 'C', 'D', 'Yen']],
    ['(topc|featc)@=*2', ['A', 'B', 'C', 'D']],
    ['(topc|featc)@=*B', ['B']],
    ['', ['A', 'D', 'C', 'B', 'Yen'], 'TopComment.Id'],
    ['', ['A', 'B', 'C', 'D', 'Yen'], 'CategoryId'],
    ['', ['Yen', 'D', 'B', 'C', 'A'], '-CategoryId'],
    ['', ['Yen', 'D', 'C', 'B', 'A'], '-CategoryId,-title'],
    ['', ['A', 'D', 'Yen', 'B', 'C'], '-IsDraft'],
    ['tags@=red', ['A', 'D']],
    ['tags==red', ['A', 'D']],
    ['tags==re', []],
    ['tags@=lue', ['A', 'B']],
    ['tags==*BLUE', ['A', 'B']],
    ['tags==red|blue', ['A', 'B', 'D']],
    ['tags!=red', ['B', 'C', 'Yen']],
    ['tags!=red|blue', ['C', 'Yen']],
    ['tags!@=*b', ['C', 'D']],
    ['tags@=%|_', ['Yen']],
    ['tags_=10', ['Yen']],
    ['tags==null', ['C']],
    ['tags!=null', ['A', 'B', 'D', 'Yen']],
    ['tags==null|blue', ['B', 'C']],
    ['tags!=null|blue', ['A', 'D', 'Yen']],
  ],
  texts: [
    ...['\\,', '\\, ', 'braces\\,', 'braces\\, comma'].map(
      (value): Case => [`Title@=*${value},Title!_=Here`, ['a text with braces, comma']],
    ),
    ['Title==Here is\\, another comment', ['Here is, another comment']],
    ['Title@=(\\|)', ['braces (|) here']],
    [
      'Title==Here is \\| a comment|Here is \\| another comment|Here is \\\\\\| another comment(1)',
      ['Here is | a comment', 'Here is | another comment', 'Here is \\| another comment(1)'],
    ],
    ['Title@=\\\\,Title!@=\\|', ['E\\']],
    ...'\\== \\!= \\> \\< \\<= \\>= \\@= \\_= \\_-= !\\@= !\\_= !\\_-= \\@=* \\_=* \\_-=* \\==* \\!=* !\\@=*'
      .split(' ')
      .map((value): Case => [`Title@=${value} `, [operators]]),
  ],
  nulls: [
    ['Text==null', ['100']],
    ['Text==*null', ['100']],
    ['Text==NULL', ['100']],
    ['Text!=null', ['0', '1', '2']],
    ['Text!=*null', ['0', '1', '2']],
    ...['@=null', '@=*null', '@=*NULL', '@=*Null', '@=*nULl', '@=*null|text'].map(
      (rest): Case => [`Text${rest}`, ['0', '1']],
    ),
    ['Text|Author==null', ['100']],
    ['Text|Author@=null', ['0', '1', '100']],
    ['Text|Author@=*null', ['0', '1', '100']],
    ['Text|Author_=null', ['1', '100']],
    ['Text|Author_=*null', ['1', '100']],
    ...['==\\null', '==*\\null', '==*\\NuLl'].map((rest): Case => [`Author${rest}`, ['100']]),
    ['Author==\\NuLl', []],
    ...['!=\\null', '!=*\\null', '!=*\\NuLl'].map((rest): Case => [`Author${rest}`, ['0', '1', '2']]),
    ...['_=null', '_=*null', '_=*NULL', '_=*Null', '_=*null|text', '_-=null', '_-=*NULL'].map(
      (rest): Case => [`Text${rest}`, ['1']],
    ),
    ...['!@=null', '!@=*null', '!@=*NULL', '!@=*Null', '!@=*null|text'].map((rest): Case => [`Text${rest}`, ['2']]),
    ...['!_=null', '!_=*null', '!_=*NULL', '!_=*Null', '!_-=null', '!_-=*null', '!_-=*NULL'].map(
      (rest): Case => [`Text${rest}`, ['0', '2']],
    ),
    ['Text==', []],
    ['Text@=', ['0', '1', '2']],
    ['Text@=*', ['0', '1', '2']],
    ['Text_=,Text_-=', ['0', '1', '2']],
    ['Text!@=', []],
    ['', ['100', '0', '2', '1'], 'Text,-title'],
  ],
  marks: [
    ['Title@=%', ['50% off']],
    ['Title@=*%', ['50% off']],
    ['Title_=50_', ['50_off']],
    ['Title_=*50_', ['50_off']],
    ["Title@='", ["it's"]],
    ['Title@=a*b', ['a*b']],
    ['Title@=*A*B', ['a*b']],
    ['Title==a[b]', ['a[b]']],
    ['Title@=*[', ['a[b]']],
    ['Title@=.^$+?{}', ['.^$+?{}']],
    ['Title@=k\\s', ['back\\slash']],
    ['Title@=*K\\S', ['back\\slash']],
    ['Title@=*\\!', ['!ab']],
    ['Title_=*!A', ['!ab']],
    ['Title@="', ['"']],
    ['Title==;--', [';--']],
    ['Title_-=a much longer text than any', []],
    ['Title_=a much longer text than any', []],
  ],
  letters: [
    ['Title==*é', ['É', 'é']],
    ['Title==É', ['É']],
    ['Title==*E\u0301', ['E\u0301']],
    ['Title==*ß', ['ß', 'ẞ']],
    ['Title==*SS', ['SS', 'ss']],
    ['Title==*İ', ['I', 'i', 'İ']],
    ['Title==*I', ['I', 'i', 'İ']],
    ['Title==*ı', ['ı']],
    ['Title==*Σ', ['Σ', 'σ']],
    ['Title==*ς', ['ς']],
    ['Title_-=*Σ', ['Σ', 'ΟΔΟΣ', 'σ']],
    ['Title==*ΟΔΟς', ['οδος']],
    ['Title@=*𐐀', ['𐐀', '𐐨']],
    ['Title==*k', ['K', 'K']],
    ['Title==*Ⅷ', ['Ⅷ', 'ⅷ']],
    ['Title!=*é,Title_=*é', []],
  ],
  order: [
    ['', ['', 'B', 'Z', '_', 'a', 'b', 'z', 'é', 'Ａ', '\ufffd', '😀'], 'title'],
    ['', ['😀', '\ufffd', 'Ａ', 'é', 'z', 'b', 'a', '_', 'Z', 'B', ''], '-title'],
    ['Title>a', ['b', 'z', 'é', 'Ａ', '\ufffd', '😀'], 'title'],
    ['Title>=a,Title<é', ['a', 'b', 'z'], 'title'],
    ['Title<=Z', ['', 'B', 'Z'], 'title'],
    ['Title==', ['']],
    ['Title!=', ['B', 'Z', '_', 'a', 'b', 'z', 'é', 'Ａ', '\ufffd', '😀'], 'title'],
  ],
  kinds: [
    ['createdAt>2026-01-01', ['second', 'third'], 'createdAt'],
    ['createdAt==2026-01-01T01:00:00.000+01:00', ['first']],
    ['createdAt<=2026-01-01T00:00:00.0019999Z', ['first', 'second'], 'createdAt'],
    ['createdAt==null', ['fourth']],
    ['price==1.1', ['first']],
    ['price==0.30000000000000004', ['second']],
    ['price==0.3', []],
    ['price<0', ['third']],
    ['price==-2E10', ['third']],
    ['LikeCount==9007199254740991', ['third']],
    ['LikeCount!=9007199254740991', []],
    ['status==Draft|Retired', ['first', 'third'], 'status'],
    ['status!=Draft', ['second', 'third'], 'status'],
    ['status==*PUBLISHED', ['second']],
    ['status@=t', ['first', 'third'], 'status'],
    ['status!@=t', ['second']],
    ['status!@=x', ['first', 'second', 'third'], 'status'],
    ['status@=x', []],
    ['status==null', ['fourth']],
    ['leaseFor==P7D', ['first']],
    ['leaseFor!=P7D', ['second']],
    ['', ['fourth', 'third', 'second', 'first'], 'price'],
    ['', ['third', 'second', 'first', 'fourth'], '-createdAt'],
    ['id==00000000-0000-0000-0000-00000000000A', []],
    ['id!=null,title==fourth', ['fourth']],
  ],
}

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

  test('texts and values at random compare as they do in memory', async () => {
    const piece = fc.constantFrom(...'aAbB%_!\\\'"éÉΣσςİiß*[😀 ', 'null')
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
