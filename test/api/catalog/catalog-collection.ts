import { expect, test } from 'vitest'
import { readRevision } from '../../../server/catalog/records/revision.ts'
import { openDatabase } from '../../../server/database/open.ts'
import type { Answer, CallOptions, TestServer } from '../../support/server.ts'

type Json = ReturnType<typeof JSON.parse>

/** A collection, as far as all collections are alike. */
export interface CollectionUnderTest {
  /** Such as `/api/v1/provision/admin/tags`. */
  path: string
  /** A body that creates a record whose natural key holds the number; `server` has what it refers to. */
  body(server: TestServer, n: number): Promise<Record<string, unknown>>
  /** The name that PUT requires, changed by an edit. */
  rename: (n: number) => Record<string, unknown>
  /** The field that PUT requires where it is not the name. */
  required?: string
  /** The field of free text where it is not the name. */
  text?: string
  /** Set where no two records are alike to anyone: there is no natural key. */
  hasNoKey?: true
  /** Set where its changes leave the revision of the catalog as it is. */
  isOutsideCatalog?: true
  /** An edit of another field than the name. */
  alter?: Record<string, unknown>
  /** Every field that a body may name. */
  fields: readonly string[]
  /** Whether a second record with the natural key of another is refused. */
  clashes?: (body: Record<string, unknown>) => Record<string, unknown>
  filterable: readonly string[]
  actions?: readonly string[]
}

let counter = 10_000
/** A number no other record has; all have as many digits, for names are put in order. The files of a worker share the counter. */
export const nextNumber = () => ++counter

export const noSuchId = '01890000-0000-7000-8000-000000000000'

/** Answers a request that must succeed. */
export async function must(answer: Promise<Answer>): Promise<Json> {
  const { status, text } = await answer
  if (status !== 200 && status !== 204) throw new Error(`${status} ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}

export const problemOf = ({ status, body }: Pick<Answer, 'status' | 'body'>) => [status, body.codeName] as const

/** A question of the neighbour's and a question for what never was are answered alike, but for what the request itself said. */
const anonymous = ({ status, body }: Answer) => ({ status, ...body, instance: '', type: '' })

/** The revision the catalog of acme stands at. */
export async function catalogRevision(server: TestServer): Promise<number> {
  const database = openDatabase(server.databaseUrl)
  try {
    return await readRevision(database.read, server.tenantIds.acme)
  } finally {
    await database.close()
  }
}

/** What every collection does, tested on this one. */
export function testCollection(serverOf: () => TestServer, collection: CollectionUnderTest): void {
  const { path, required = 'name', text = 'name' } = collection
  const api = (method: string, below: string, options?: CallOptions) => serverOf().api(method, path + below, options)
  const newBody = () => collection.body(serverOf(), nextNumber())
  const create = async () => must(api('POST', '', { body: await newBody() }))

  test('a record is created, read, listed, edited, written anew and deleted', async () => {
    const created = await create()
    expect(created.revisionNumber).toBe(1)
    expect(await must(api('GET', `/${created.id}`))).toEqual(created)
    const listed = await must(api('GET', `?filter=${encodeURIComponent(`id==${created.id}`)}`))
    expect(listed).toMatchObject({ items: [created], totalCount: 1, totalPages: 1, pageNumber: 1, pageSize: 25 })
    expect(listed).toMatchObject({ hasNextPage: false, hasPreviousPage: false })
    const edited = await must(api('PATCH', `/${created.id}`, { body: collection.rename(nextNumber()) }))
    expect(edited).toMatchObject({ id: created.id, revisionNumber: 2 })
    const rewritten = await must(api('PUT', `/${created.id}`, { body: collection.rename(nextNumber()) }))
    expect(rewritten).toMatchObject({ id: created.id, revisionNumber: 3 })
    const gone = await api('DELETE', `/${created.id}`)
    expect([gone.status, gone.text]).toEqual([204, ''])
    for (const method of ['GET', 'DELETE'])
      expect(problemOf(await api(method, `/${created.id}`))).toEqual([404, 'license.record_not_found'])
    expect((await must(api('GET', `?filter=${encodeURIComponent(`id==${created.id}`)}`))).totalCount).toBe(0)
  })

  test.skipIf(collection.hasNoKey)('a natural key is taken until its record is deleted', async () => {
    const body = await newBody()
    const first = await must(api('POST', '', { body }))
    const again = collection.clashes?.(body) ?? body
    expect(problemOf(await api('POST', '', { body: again }))).toEqual([409, 'catalog.duplicate_key'])
    await must(api('DELETE', `/${first.id}`))
    expect((await must(api('POST', '', { body: again }))).id).not.toBe(first.id)
  })

  test('under one Idempotency-Key a change happens once', async () => {
    const key = { 'idempotency-key': `key-${nextNumber()}` }
    const body = await newBody()
    const first = await api('POST', '', { body, headers: key })
    const replay = await api('POST', '', { body, headers: key })
    expect(replay.status).toBe(200)
    expect(replay.body).toEqual(first.body)
    expect(replay.headers.get('idempotency-replayed')).toBe('true')
    expect(problemOf(await api('POST', '', { body: await newBody(), headers: key }))).toEqual([
      409,
      'request.idempotency_conflict',
    ])
    const removal = { 'idempotency-key': `key-${nextNumber()}` }
    expect((await api('DELETE', `/${first.body.id}`, { headers: removal })).status).toBe(204)
    const again = await api('DELETE', `/${first.body.id}`, { headers: removal })
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([204, 'true'])
  })

  test('If-Match is honoured on every change', async () => {
    const { id } = await create()
    const changes = [
      ['PATCH', collection.rename(nextNumber())],
      ['PUT', collection.rename(nextNumber())],
      ['DELETE', undefined],
    ] as const
    for (const [method, body] of changes) {
      const stale = await api(method, `/${id}`, { body, headers: { 'if-match': '"99"' } })
      expect(problemOf(stale)).toEqual([412, 'request.precondition_failed'])
      const malformed = await api(method, `/${id}`, { body, headers: { 'if-match': 'latest' } })
      expect(problemOf(malformed)).toEqual([400, 'license.validation_error'])
    }
    expect((await must(api('GET', `/${id}`))).revisionNumber).toBe(1)
    await must(api('PATCH', `/${id}`, { body: changes[0][1], headers: { 'if-match': '"1"' } }))
    await must(api('PUT', `/${id}`, { body: changes[1][1], headers: { 'if-match': '2' } }))
    await must(api('DELETE', `/${id}`, { headers: { 'if-match': '*' } }))
  })

  test('without a body nothing is made or changed', async () => {
    const before = await create()
    for (const [method, path] of [
      ['POST', ''],
      ['PATCH', `/${before.id}`],
      ['PUT', `/${before.id}`],
    ] as const)
      for (const body of [undefined, ''])
        expect([method, ...problemOf(await api(method, path, { body }))]).toEqual([method, 400, 'request.malformed'])
    expect(await must(api('GET', `/${before.id}`))).toEqual(before)
  })

  test('of two edits from one revision, one is refused', async () => {
    const { id } = await create()
    const edits = [1, 2].map(() =>
      api('PATCH', `/${id}`, { body: collection.rename(nextNumber()), headers: { 'if-match': '"1"' } }),
    )
    expect((await Promise.all(edits)).map(({ status }) => status).sort()).toEqual([200, 412])
  })

  test.skipIf(collection.hasNoKey)('of two creates of one natural key at once, one is refused', async () => {
    const body = await newBody()
    const creates = await Promise.all([1, 2, 3].map(() => api('POST', '', { body })))
    expect(creates.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  })

  test.skipIf(!collection.alter)('two edits of different fields at once both stay', async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await create()
      const rename = collection.rename(nextNumber())
      await Promise.all([rename, collection.alter].map((body) => must(api('PATCH', `/${id}`, { body }))))
      expect(await must(api('GET', `/${id}`))).toMatchObject({ ...rename, ...collection.alter, revisionNumber: 3 })
    }
  })

  test("another tenant's record is as absent as one that never was", async () => {
    const { id } = await create()
    const requests = [
      ['GET', ''],
      ['PATCH', '', collection.rename(nextNumber())],
      ['PUT', '', collection.rename(nextNumber())],
      ['DELETE', ''],
      ...(collection.actions ?? []).map((action) => ['POST', `/${action}`] as const),
    ] as const
    for (const [method, action, body] of requests) {
      const theirs = await api(method, `/${id}${action}`, { tenant: 'neighbour', body })
      const never = await api(method, `/${noSuchId}${action}`, { tenant: 'neighbour', body })
      expect(theirs.status).toBe(404)
      expect(anonymous(theirs)).toEqual(anonymous(never))
    }
    expect((await must(api('GET', '', { tenant: 'neighbour' }))).items).toEqual([])
    expect((await must(api('GET', `/${id}`))).revisionNumber).toBe(1)
  })

  test('a token opens just the verbs of its scopes', async () => {
    const token = await serverOf().tokenWith(['admin.*:read'])
    expect((await api('GET', '', { token })).status).toBe(200)
    expect(problemOf(await api('POST', '', { token, body: await newBody() }))).toEqual([403, 'auth.insufficient_scope'])
    expect(problemOf(await api('GET', '', { token: null }))).toEqual([401, 'auth.unauthenticated'])
  })

  test('a field that is unknown, or answered only, is refused', async () => {
    const created = await create()
    for (const field of ['nmae', 'id', 'revisionNumber', 'createdAt', 'toString']) {
      const body = `{${JSON.stringify(field)}:${JSON.stringify(created.id)}}`
      const refused = await api('PATCH', `/${created.id}`, { body })
      expect(problemOf(refused)).toEqual([400, 'license.validation_error'])
      expect(refused.body.errors[0].pointer).toBe(`/${field}`)
    }
    const withStranger = { ...(await newBody()), nmae: 'x' }
    expect(problemOf(await api('POST', '', { body: withStranger }))).toEqual([400, 'license.validation_error'])
    expect(problemOf(await api('PUT', `/${created.id}`, { body: {} }))).toEqual([400, 'license.validation_error'])
    expect(problemOf(await api('GET', '/not-a-uuid'))).toEqual([404, 'license.record_not_found'])
    expect(problemOf(await api('GET', '?pagesize=3'))).toEqual([400, 'license.validation_error'])
  })

  test('what is absent, null or the same changes nothing and moves no revision', async () => {
    const created = await create()
    const before = await catalogRevision(serverOf())
    const nulls = Object.fromEntries(collection.fields.map((field) => [field, null]))
    expect(await must(api('PATCH', `/${created.id}`, { body: {} }))).toEqual(created)
    expect(await must(api('PATCH', `/${created.id}`, { body: nulls }))).toEqual(created)
    expect(await must(api('PUT', `/${created.id}`, { body: { ...nulls, [required]: created[required] } }))).toEqual(
      created,
    )
    expect(await catalogRevision(serverOf())).toBe(before)
  })

  test.runIf(collection.isOutsideCatalog)('no change moves the revision of the catalog', async () => {
    const before = await catalogRevision(serverOf())
    const { id } = await create()
    await must(api('PATCH', `/${id}`, { body: collection.rename(nextNumber()) }))
    await must(api('DELETE', `/${id}`))
    expect(await catalogRevision(serverOf())).toBe(before)
  })

  test.skipIf(collection.isOutsideCatalog)('every real change moves the revision of the catalog by one', async () => {
    const before = await catalogRevision(serverOf())
    const body = await newBody()
    const middle = await catalogRevision(serverOf())
    const { id } = await must(api('POST', '', { body }))
    await must(api('PATCH', `/${id}`, { body: collection.rename(nextNumber()) }))
    await must(api('DELETE', `/${id}`))
    expect(await catalogRevision(serverOf())).toBe(middle + 3)
    expect(middle).toBeGreaterThanOrEqual(before)
  })

  test('a list is filtered and sorted by every field it says it is', async () => {
    const record = await create()
    for (const field of collection.filterable) {
      const value = record[field]
      const plain = value === null ? 'null' : Array.isArray(value) ? (value[0] ?? 'null') : String(value)
      const escaped = plain === 'null' ? plain : plain.replaceAll(/[,|\\()=!<>@_*-]/g, '\\$&')
      const filter = encodeURIComponent(`${field.toUpperCase()}==${escaped}`)
      const found = await must(api('GET', `?pageSize=100&filter=${filter},id==${record.id}`))
      expect([field, found.items]).toEqual([field, [record]])
      if (field === 'tags') continue
      await must(api('GET', `?sortOrder=-${field},${field}`))
    }
    for (const field of ['tenantId', 'updated_by', 'folded_name']) {
      const refused = await api('GET', `?filter=${field}==x`)
      expect(problemOf(refused)).toEqual([400, 'license.validation_error'])
      expect(refused.body.errors[0].pointer).toBe('filter')
    }
  })

  test('names of any script come back as they were sent', async () => {
    for (const name of [
      'Łódź 東京 🙂',
      'é e\u0301',
      "O'Brien; drop table products --",
      '%_\\"<b>&amp;',
      '\u202eevil',
    ]) {
      const body = { ...(await newBody()), [text]: `${name} ${nextNumber()}` }
      const { id } = await must(api('POST', '', { body }))
      expect((await must(api('GET', `/${id}`)))[text]).toBe(body[text])
    }
  })
}
