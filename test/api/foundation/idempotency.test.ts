import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { openDatabase } from '../../../server/database/open.ts'
import { digestOf } from '../../../server/kit/canonical-json.ts'
import { requestToken } from '../../support/server.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'

const admin = '/api/v1/provision/admin'

forEachStore((store) => {
  const server = serveTests(store)

  const createTag = (name: string, key: string) =>
    server.api('POST', `${admin}/tags`, {
      tenant: 'sandbox',
      token: sandboxToken,
      body: { name, scope: 'Product' },
      headers: { 'idempotency-key': key },
    })
  let sandboxToken = ''
  const advance = async (by: string) => {
    await server.api('POST', `${admin}/test-clock/advance`, { tenant: 'sandbox', token: sandboxToken, body: { by } })
    sandboxToken = await server.tokenWith(['admin.*:*'], 'sandbox')
  }

  test('a key is new again after a day, however many others are as old', async () => {
    sandboxToken = server.tokens.sandbox
    for (let start = 0; start < 450; start += 50)
      await Promise.all(
        Array.from({ length: 50 }, (_, index) => createTag(`old ${start + index}`, `old-${start + index}`)),
      )
    expect((await createTag('last', 'the-key')).status).toBe(200)
    await advance('PT23H59M')
    expect((await createTag('last', 'the-key')).headers.get('idempotency-replayed')).toBe('true')
    await advance('PT2M')
    const again = await createTag('another', 'the-key')
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, null])
  })

  test('over tRPC what answers nothing does so under a key, too, and when it is replayed', async () => {
    const made = await server.api('POST', `${admin}/customers`, { body: { name: 'Gone' } })
    const remove = () =>
      server.api('POST', '/trpc/admin.customers.delete', {
        body: { id: made.body.id },
        headers: { 'idempotency-key': 'removal' },
      })
    const first = await remove()
    const again = await remove()
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect([first.text, again.text]).toEqual(Array(2).fill('{"result":{}}'))
  })

  test("a key is its caller's own: others may use it for themselves, whatever they ask", async () => {
    const call = { body: { name: 'Twice' }, headers: { 'idempotency-key': 'shared' } }
    const scopes = ['admin.customers:*']
    const made = await server.api('POST', `${admin}/clients`, { body: { name: 'another', scopes } })
    const token = await requestToken(server.baseUrl(), made.body, scopes)
    const customers = [
      await server.api('POST', `${admin}/customers`, call),
      await server.api('POST', `${admin}/customers`, { ...call, token }),
      await server.api('POST', `${admin}/customers`, { ...call, tenant: 'neighbour' }),
      await server.api('POST', `${admin}/campaigns`, call),
    ]
    expect(customers.map(({ status, headers }) => [status, headers.get('idempotency-replayed')])).toEqual(
      Array(4).fill([200, null]),
    )
    expect(new Set(customers.map(({ body }) => body.id)).size).toBe(4)
    const again = await server.api('POST', `${admin}/customers`, { ...call, token })
    expect([again.headers.get('idempotency-replayed'), again.body]).toEqual(['true', customers[1]!.body])
  })

  test('what was answered under a key is told only to a client that may still ask for it', async () => {
    const scopes = ['admin.customers:*', 'admin.campaigns:*']
    const made = await server.api('POST', `${admin}/clients`, { body: { name: 'shrinking', scopes } })
    const token = await requestToken(server.baseUrl(), made.body, scopes)
    const create = () =>
      server.api('POST', `${admin}/customers`, {
        ...{ token, body: { name: 'Kept' } },
        headers: { 'idempotency-key': 'kept' },
      })
    expect((await create()).status).toBe(200)
    await server.api('PATCH', `${admin}/clients/${made.body.id}`, { body: { scopes: ['admin.campaigns:*'] } })
    expect((await create()).status).toBe(403)
    await server.api('DELETE', `${admin}/clients/${made.body.id}`)
    expect((await create()).status).toBe(401)
  })

  test.each([
    ['by the shape of its body', 'POST', 'tags', { name: 'refused' }, 400],
    ['by what it says', 'POST', 'feature-catalog', { productId: randomUUID(), featureCode: 'F', name: 'F' }, 400],
    ['for a path that names nothing', 'DELETE', 'tags/nothing', undefined, 404],
  ])('a request that is refused %s is refused once for a key', async (_, method, path, body, status) => {
    const headers = { 'idempotency-key': `refused-${path}` }
    const send = () => server.api(method, `${admin}/${path}`, { body, headers })
    const [first, replay] = [await send(), await send()]
    expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([status, null])
    expect([replay.status, replay.headers.get('idempotency-replayed')]).toEqual([status, 'true'])
    expect(replay.text).toBe(first.text)
  })

  test('what is kept of an input that anyone may send and is refused does not grow with it', async () => {
    const send = () =>
      server.api('POST', '/api/v1/provision/activations/try', {
        token: null,
        body: { ['x'.repeat(500_000)]: 1 },
        headers: { 'idempotency-key': 'much' },
      })
    const [first, replay] = [await send(), await send()]
    expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([400, null])
    expect([replay.status, replay.headers.get('idempotency-replayed'), replay.text]).toEqual([400, 'true', first.text])
    const database = openDatabase(server.databaseUrl)
    const record = await database.read
      .selectFrom('idempotency_records')
      .selectAll()
      .where('idempotency_key', '=', 'much')
      .executeTakeFirstOrThrow()
    await database.close()
    expect(JSON.stringify(record).length).toBeLessThan(1000)
  })

  test('a request that was refused with 400 is put right under its key, by one of those that come at once', async () => {
    sandboxToken = await server.tokenWith(['admin.*:*'], 'sandbox')
    const refused = await createTag('', 'put-right')
    expect(refused.status).toBe(400)
    const again = await createTag('', 'put-right')
    expect([again.status, again.text, again.headers.get('idempotency-replayed')]).toEqual([400, refused.text, 'true'])
    const answers = await Promise.all(Array.from({ length: 5 }, () => createTag('right', 'put-right')))
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(200))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(answers.filter(({ headers }) => headers.get('idempotency-replayed') === null)).toHaveLength(1)
    const wrongAgain = await createTag('', 'put-right')
    expect([wrongAgain.status, wrongAgain.body.codeName]).toEqual([409, 'request.idempotency_conflict'])
  })

  test('the parameters of a request cannot be guessed from what is stored of them', async () => {
    sandboxToken = await server.tokenWith(['admin.*:*'], 'sandbox')
    const name = 'guessable'
    expect((await createTag(name, 'first-guess')).status).toBe(200)
    expect((await createTag(name, 'second-guess')).status).toBe(409)
    const database = openDatabase(server.databaseUrl)
    const rows = await database.read
      .selectFrom('idempotency_records')
      .select('fingerprint')
      .where('idempotency_key', 'in', ['first-guess', 'second-guess'])
      .execute()
    await database.close()
    const fingerprints = rows.map(({ fingerprint }) => fingerprint)
    expect(new Set(fingerprints).size).toBe(2)
    expect(fingerprints).not.toContain(digestOf({ name, scope: 'Product' }))
  })
})
