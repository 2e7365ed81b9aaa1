import Database from 'better-sqlite3'
import { type Generated, Kysely, PostgresDialect, SqliteDialect, sql } from 'kysely'
import pg from 'pg'
import { foldText } from '../../../catalog-schema/folding.ts'
import type { FilterField } from '../../../server/kit/filter/fields.ts'
import { createFoldFunctionSql, foldFunction } from '../../../server/kit/filter/folding.ts'
import type { TestStore } from '../../support/stores.ts'

type Post = {
  title: string
  likeCount: number | null
  isDraft: number | null
  categoryId: number | null
  topText: string | null
  topId: number | null
  featText: string | null
  createdAt: number | null
  price: number | null
  status: string | null
  leaseFor: string | null
  tags: readonly string[]
}

export type FilterTables = {
  post: {
    id: Generated<string>
    post_set: string
    title: string
    like_count: number | null
    is_draft: number | null
    category_id: number | null
    top_text: string | null
    top_id: number | null
    feat_text: string | null
    created_at: number | null
    price: number | null
    status: string | null
    lease_for: string | null
  }
  post_tag: { post_id: string; name: string }
}

/** A database of either kind that knows the fold function. */
export function openFilterDatabase(url: string): Kysely<FilterTables> {
  if (url.startsWith('postgres:'))
    return new Kysely({ dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url, max: 2 }) }) })
  const database = new Database(url.slice('sqlite:'.length))
  database.function(foldFunction, { deterministic: true }, (text: unknown) =>
    typeof text === 'string' ? foldText(text) : null,
  )
  return new Kysely({ dialect: new SqliteDialect({ database }) })
}

/** The tables of the tests, texts compared by code point. */
export async function createFilterTables(database: Kysely<FilterTables>, kind: TestStore['kind']) {
  if (kind === 'postgres') await sql.raw(createFoldFunctionSql()).execute(database)
  const text = sql.raw(kind === 'postgres' ? 'text collate "C"' : 'text')
  await sql`create table post (id ${text} primary key, post_set ${text} not null, title ${text} not null, like_count bigint,
    is_draft integer, category_id integer, top_text ${text}, top_id integer, feat_text ${text}, created_at bigint,
    price double precision, status ${text}, lease_for ${text})`.execute(database)
  await sql`create table post_tag (post_id ${text} not null, name ${text} not null)`.execute(database)
}

let postCount = 0

/** Stores posts, their ids ascending, under the name of a set; what a post does not say is null. */
export async function insertPosts(database: Kysely<FilterTables>, set: string, posts: Partial<Post>[]) {
  for (const post of posts) {
    const id = `0198c0de-0000-7000-8000-${String(++postCount).padStart(12, '0')}`
    await database
      .insertInto('post')
      .values({
        id,
        post_set: set,
        title: post.title ?? '',
        like_count: post.likeCount ?? null,
        is_draft: post.isDraft ?? null,
        category_id: post.categoryId ?? null,
        top_text: post.topText ?? null,
        top_id: post.topId ?? null,
        feat_text: post.featText ?? null,
        created_at: post.createdAt ?? null,
        price: post.price ?? null,
        status: post.status ?? null,
        lease_for: post.leaseFor ?? null,
      })
      .execute()
    for (const name of post.tags ?? []) await database.insertInto('post_tag').values({ post_id: id, name }).execute()
  }
}

const text = (name: string, column: string): FilterField => ({
  name,
  column: `post.${column}`,
  type: 'text',
  nullable: true,
})

export const idField = { name: 'id', column: 'post.id', type: 'uuid', nullable: false } as const

/** What posts can be filtered by, under the names of the reference cases. */
export const postFields: FilterField[] = [
  idField,
  { name: 'title', column: 'post.title', type: 'text', nullable: false },
  { name: 'likeCount', column: 'post.like_count', type: 'integer', nullable: true },
  { name: 'isDraft', column: 'post.is_draft', type: 'boolean', nullable: true },
  { name: 'categoryId', column: 'post.category_id', type: 'integer', nullable: true },
  text('TopComment.Text', 'top_text'),
  text('topc', 'top_text'),
  text('author', 'top_text'),
  { name: 'TopComment.Id', column: 'post.top_id', type: 'integer', nullable: true },
  text('featc', 'feat_text'),
  text('text', 'feat_text'),
  { name: 'createdAt', column: 'post.created_at', type: 'instant', nullable: true },
  { name: 'price', column: 'post.price', type: 'decimal', nullable: true },
  { name: 'status', column: 'post.status', type: 'enum', values: ['Draft', 'Published', 'Retired'], nullable: true },
  { name: 'leaseFor', column: 'post.lease_for', type: 'duration', canonical: (written) => written, nullable: true },
  {
    name: 'tags',
    type: 'textList',
    elements: (match) =>
      sql`exists (select 1 from post_tag where post_tag.post_id = post.id and ${match(sql.ref('post_tag.name'))})`,
  },
]
