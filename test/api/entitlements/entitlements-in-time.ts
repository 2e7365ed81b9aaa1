import { afterAll, beforeAll } from 'vitest'
import type { Database } from '../../../server/database/database.ts'
import { openDatabase } from '../../../server/database/open.ts'
import { type Answer, everyScope, type TestServer } from '../../support/server.ts'
import { serveTests } from '../../support/serving.ts'
import type { TestStore } from '../../support/stores.ts'
import { must, nextNumber } from '../catalog/catalog-collection.ts'

type Json = ReturnType<typeof JSON.parse>

/** Entitlements of the sandbox tenant of a server, whose clock a test moves. */
export interface EntitlementsInTime {
  server: TestServer
  database: Database
  /** One request below the provision path, with a token of now. */
  at(method: string, where: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  /** A new entitlement, a Draft unless the fields say otherwise. */
  create(fields?: object): Promise<Json>
  get(id: string): Promise<Json>
  /** Does something to an entitlement by its name; answers it. */
  does(id: string, action: string, body?: object): Promise<Json>
  /** Moves the clock and answers its now, in milliseconds. */
  advance(by: { by: string } | { to: string }): Promise<number>
  now(): Promise<number>
  /** The events of an entitlement in their order: type without its prefix, time, data. */
  eventsOf(id: string): Promise<{ type: string; at: number; data: Json }[]>
  /** The types of those. */
  typesOf(id: string): Promise<string[]>
}

/**
 * A server on a fresh database for the tests of the block this is called in, and its entitlements; the fields are there once
 * they run. Its events are kept for ten years, however far the clock goes.
 */
export function entitlementsInTime(store: TestStore): EntitlementsInTime {
  const server = serveTests(store)
  const here = { server } as EntitlementsInTime
  let token = ''
  const refresh = async () => {
    token = await server.tokenWith(everyScope, 'sandbox')
  }
  beforeAll(async () => {
    here.database = openDatabase(server.databaseUrl)
    await refresh()
    const long = { delivered: 'P3650D', deadLettered: 'P3650D' }
    await must(at('PATCH', 'admin/settings', { webhookRetention: long }))
  })
  afterAll(() => here.database?.close())
  const at: EntitlementsInTime['at'] = (method, where, body, headers = {}) =>
    server.api(method, `/api/v1/provision/${where}`, { tenant: 'sandbox', token, body, headers })
  const eventsOf: EntitlementsInTime['eventsOf'] = async (id) => {
    const rows = await here.database.read
      .selectFrom('events')
      .select(['type', 'occurred_at', 'data'])
      .where('tenant_id', '=', server.tenantIds.sandbox)
      .where('entity_id', '=', id)
      .orderBy('id')
      .execute()
    return rows.map(({ type, occurred_at, data }) => ({
      type: type.replace('Entitlement.', ''),
      at: occurred_at,
      data: JSON.parse(data),
    }))
  }
  return Object.assign(here, {
    at,
    eventsOf,
    create: (fields = {}) => must(at('POST', 'admin/entitlements', { name: `Team ${nextNumber()}`, ...fields })),
    get: (id: string) => must(at('GET', `admin/entitlements/${id}`)),
    does: (id: string, action: string, body?: object) => must(at('POST', `admin/entitlements/${id}/${action}`, body)),
    advance: async (by: object) => {
      const { now } = await must(at('POST', 'admin/test-clock/advance', by))
      await refresh()
      return Date.parse(now)
    },
    now: async () => Date.parse((await must(at('GET', 'admin/test-clock'))).now),
    typesOf: async (id: string) => (await eventsOf(id)).map(({ type }) => type),
  } satisfies Partial<EntitlementsInTime>)
}
