import { afterAll, beforeAll } from 'vitest'
import type { Database } from '../../../server/database/database.ts'
import { openDatabase } from '../../../server/database/open.ts'
import type { Answer, CallOptions, TestServer } from '../../support/server.ts'
import { must, nextNumber } from '../catalog/catalog-collection.ts'

type Json = ReturnType<typeof JSON.parse>

/** The database that a server of the block is on, beside it. */
export function databaseBeside(server: TestServer): { readonly open: Database } {
  let database: Database | undefined
  beforeAll(() => {
    database = openDatabase(server.databaseUrl)
  })
  afterAll(() => database?.close())
  return {
    get open() {
      return database!
    },
  }
}

/** Entitlements and their activation codes, through the API of a tenant. */
export function codesOf(server: TestServer, options: CallOptions = {}) {
  const at = (method: string, where: string, more: CallOptions = {}): Promise<Answer> =>
    server.api(method, `/api/v1/provision/${where}`, { ...options, ...more })
  const codes = (id: string, codeId?: string) => `entitlements/${id}/activation-codes${codeId ? `/${codeId}` : ''}`
  const issue = (id: string, body: object = {}, more: CallOptions = {}) =>
    at('POST', `admin/${codes(id)}`, { body, ...more })
  return {
    at,
    codes,
    issue,
    newEntitlement: (body: object = {}): Promise<Json> =>
      must(at('POST', 'admin/entitlements', { body: { name: `Sold ${nextNumber()}`, ...body } })),
    newCode: (id: string, body: object = {}): Promise<Json> => must(issue(id, body)),
    readCode: (id: string, codeId: string): Promise<Json> => must(at('GET', `admin/${codes(id, codeId)}`)),
    listCodes: (id: string, query = ''): Promise<Json> => must(at('GET', `admin/${codes(id)}${query}`)),
  }
}
