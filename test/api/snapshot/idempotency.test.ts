import { beforeAll, describe, expect, test } from 'vitest'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { bodyOf, catalogOf, dumpOf, snapshotOf, wholeCatalog } from './scene.ts'

const cad = { productCode: 'ACME-CAD', productVersion: '2.0' }
const edited = (description: string) => snapshotOf({ products: [{ ...cad, description }] })

forEachStore((store) => {
  describe('an import under an Idempotency-Key', () => {
    const server = serveTests(store)
    const catalog = catalogOf(server)
    beforeAll(async () => {
      bodyOf(await catalog.import(wholeCatalog()))
    })

    const under = (key: string) => ({ headers: { 'idempotency-key': key } })
    const imports = async () => bodyOf(await catalog.imports()).totalCount as number

    test('is done once: a replay answers the same bytes and says so', async () => {
      const first = await catalog.import(edited('once'), under('once'))
      const before = await dumpOf(server.databaseUrl)
      const replay = await catalog.import(edited('once'), under('once'))
      expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([200, null])
      expect([replay.status, replay.headers.get('idempotency-replayed')]).toEqual([200, 'true'])
      expect(replay.text).toBe(first.text)
      expect(await dumpOf(server.databaseUrl)).toBe(before)
    })

    test('answers its first answer after the environment changed, and leaves the change alone', async () => {
      const first = await catalog.import(edited('mine'), under('later'))
      bodyOf(await catalog.import(edited('somebody else’s')))
      const replay = await catalog.import(edited('mine'), under('later'))
      expect(replay.text).toBe(first.text)
      const { products } = bodyOf(await catalog.export('?scope=products'))
      expect(products[1].description).toBe('somebody else’s')
    })

    test('spelled otherwise is the same import', async () => {
      const first = await catalog.import(
        '{"formatVersion":"1.0","suites":[{"code":"SPELLED","name":"S"}]}',
        under('spelled'),
      )
      const body = ' { "suites": [ { "name": "S", "code": "\\u0053PELLED" } ], "formatVersion": "1.0" } '
      const replay = await catalog.import(body, under('spelled'))
      expect(replay.text).toBe(first.text)
      expect(replay.headers.get('idempotency-replayed')).toBe('true')
    })

    test.each([
      ['another snapshot', edited('other'), ''],
      ['another expectedRevision', edited('first'), '?expectedRevision=1'],
      ['another source', edited('first'), '?source=elsewhere'],
    ])('with %s is 409 and does nothing', async (what, snapshot, query) => {
      bodyOf(await catalog.import(edited('first'), under(what)))
      const before = await dumpOf(server.databaseUrl)
      const answer = await catalog.import(snapshot, { ...under(what), query })
      expect([answer.status, answer.body.code, answer.body.codeName]).toEqual([
        409,
        1006,
        'request.idempotency_conflict',
      ])
      expect(await dumpOf(server.databaseUrl)).toBe(before)
    })

    test('by apply, or by the neighbour, is another request', async () => {
      const snapshot = snapshotOf({ suites: [{ code: 'SHARED' }] })
      bodyOf(await catalog.import(snapshot, under('shared')))
      const applied = await catalog.apply({ snapshot, expected: {} }, under('shared'))
      const theirs = await catalogOf(server, 'neighbour').import(snapshot, under('shared'))
      for (const answer of [applied, theirs])
        expect([answer.status, answer.headers.get('idempotency-replayed')]).toEqual([200, null])
      expect(theirs.body.summary.create).toBe(1)
    })

    test('sent twenty times at once is one import', async () => {
      const before = await imports()
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => catalog.import(edited('at once'), under('at once'))),
      )
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
      expect(answers.filter(({ headers }) => headers.get('idempotency-replayed') === null)).toHaveLength(1)
      expect(await imports()).toBe(before + 1)
    })

    test('sent at once with two bodies: one wins, the other is told every time', async () => {
      const before = await imports()
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, index) => catalog.import(edited(`body ${index % 2}`), under('two bodies'))),
      )
      expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(5).fill(200), ...Array(5).fill(409)])
      expect(await imports()).toBe(before + 1)
    })

    test('that is refused with 409 is refused the same again', async () => {
      const refused = await catalog.import(edited('x'), { ...under('refused'), query: '?expectedRevision=0' })
      const replay = await catalog.import(edited('x'), { ...under('refused'), query: '?expectedRevision=0' })
      expect([refused.status, replay.status]).toEqual([409, 409])
      expect(replay.headers.get('idempotency-replayed')).toBe('true')
      expect({ ...replay.body, detail: '' }).toEqual({ ...refused.body, detail: '' })
    })

    test('that is refused with 400 answers as without a key, and again under it, which a corrected one may take', async () => {
      const wrong = snapshotOf({ products: [{ productCode: 'TWICE' }, { productCode: 'TWICE' }] })
      const refused = await catalog.import(wrong, under('corrected'))
      const plain = await catalog.import(wrong)
      expect([refused.status, refused.body.codeName]).toEqual([400, 'catalog.duplicate_key'])
      expect(refused.body).toEqual(plain.body)
      const again = await catalog.import(wrong, under('corrected'))
      expect([again.text, again.headers.get('idempotency-replayed')]).toEqual([refused.text, 'true'])
      const right = snapshotOf({ products: [{ productCode: 'TWICE' }] })
      expect(bodyOf(await catalog.import(right, under('corrected'))).summary.create).toBe(1)
      expect((await catalog.import(wrong, under('corrected'))).body.codeName).toBe('request.idempotency_conflict')
    })

    test.each([
      ['', 400],
      ['k'.repeat(200), 200],
      ['k'.repeat(201), 400],
      ['"quoted"', 200],
    ])('of %j', async (key, status) => {
      expect((await catalog.import(snapshotOf({}), under(key))).status).toBe(status)
    })

    test('over tRPC is the same', async () => {
      const body = { snapshot: snapshotOf({ suites: [{ code: 'BY-TRPC' }] }) }
      const send = () => server.api('POST', '/trpc/admin.catalog.import', { body, ...under('trpc') })
      const [first, replay] = [await send(), await send()]
      expect([first.status, replay.status]).toEqual([200, 200])
      expect(replay.text).toBe(first.text)
      expect(replay.headers.get('idempotency-replayed')).toBe('true')
    })
  })
})
