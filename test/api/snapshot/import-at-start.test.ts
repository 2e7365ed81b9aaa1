import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Snapshot } from '../../../catalog-schema/snapshot.ts'
import { startServer } from '../../../server/app.ts'
import { stderrLog } from '../../../server/kit/log-output.ts'
import { startTestServer, type TestServer } from '../../support/server.ts'
import { forEachStore } from '../../support/stores.ts'
import { bodyOf, catalogOf, snapshotOf } from './scene.ts'

type Json = ReturnType<typeof JSON.parse>

const productOf = (description: string) => ({ productCode: 'PRO', name: 'Pro', description })
const first = snapshotOf({ products: [productOf('First')] })
const hot = { scope: 'Product', name: 'Hot' }
const second = snapshotOf({ products: [productOf('Second')], tags: [hot] })

forEachStore((store) => {
  /** Asked of while others start beside it with a catalog. */
  let server: TestServer
  let acme: ReturnType<typeof catalogOf>
  beforeEach(async () => {
    server = await startTestServer(store)
    acme = catalogOf(server)
  })
  afterEach(() => server.close())

  /** Starts a server with a catalog; answers what it logged of the import. */
  async function start(snapshot: Snapshot, overwrite = false): Promise<Json> {
    const lines: Json[] = []
    const written = vi.spyOn(stderrLog, 'write').mockImplementation((line) => void lines.push(JSON.parse(line)))
    try {
      const options = { databaseUrl: server.databaseUrl, host: '127.0.0.1', port: 0, defaultTenant: 'acme' }
      const started = await startServer({ ...options, catalog: { snapshot, overwrite } })
      await started.close()
    } finally {
      written.mockRestore()
    }
    const [line, ...more] = lines.filter(({ msg }) => /catalog/.test(msg))
    expect(more).toEqual([])
    return line
  }

  const exported = async () => bodyOf(await acme.export())
  const description = async () => (await exported()).products[0].description
  const historyLength = async () => bodyOf(await acme.imports()).items.length
  const product = async () => bodyOf(await acme.admin('GET', 'products')).items[0]
  const editByHand = async (body: object) => {
    const { id } = await product()
    bodyOf(await acme.admin('PATCH', `products/${id}`, body))
  }
  const changedBy = () => `client:${server.clients.acme.clientId}`

  test('all of it is left out when it would overwrite what somebody edited since, with the keys in the log', async () => {
    await start(first)
    await editByHand({ description: 'By hand' })
    expect(await start(second)).toMatchObject({
      level: 40,
      msg: 'the catalog was left out: importing it would overwrite later edits (--import-overwrite does)',
      edited: [{ key: 'product:PRO', changedAt: expect.any(String), changedBy: changedBy() }],
    })
    expect(await description()).toBe('By hand')
    expect((await exported()).tags).toEqual([])
    expect(await historyLength()).toBe(1)
    expect(await start(second, true)).toMatchObject({ msg: 'the catalog was imported' })
    expect(await description()).toBe('Second')
  })

  test('where the catalog wins it does at every start, and a start that finds nothing to do records nothing', async () => {
    await start(first)
    await editByHand({ description: 'By hand' })
    await start(first, true)
    expect(await description()).toBe('First')
    await start(first, true)
    expect(await description()).toBe('First')
    expect(await historyLength()).toBe(2)
  })

  test('an edit stays an edit when something else was imported since', async () => {
    await start(first)
    await editByHand({ description: 'By hand' })
    bodyOf(await acme.import(snapshotOf({ suites: [{ code: 'OTHER' }] })))
    expect(await historyLength()).toBe(2)
    expect(await start(second)).toMatchObject({ level: 40, edited: [{ key: 'product:PRO' }] })
    expect(await description()).toBe('By hand')
  })

  test('what somebody deleted is not made again', async () => {
    await start(first)
    const { id } = await product()
    expect((await acme.admin('DELETE', `products/${id}`)).status).toBe(204)
    expect(await start(second)).toMatchObject({ level: 40, edited: [{ key: 'product:PRO', changedBy: changedBy() }] })
    expect((await exported()).products).toEqual([])
  })

  test('an edit of something that the catalog does not change does not matter', async () => {
    await start(first)
    await editByHand({ externalId: 'crm-1' })
    const more = snapshotOf({ products: [productOf('First')], tags: [hot] })
    expect(await start(more)).toMatchObject({ level: 30, summary: { create: 1, update: 0 } })
    expect((await exported()).products[0].externalId).toBe('crm-1')
  })
})
