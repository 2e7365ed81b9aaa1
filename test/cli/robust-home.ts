import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { composeHeaders } from '../../cli/webhooks/composing.ts'
import { secretsIn } from '../../cli/webhooks/signing-secrets.ts'
import { claims, licenseKeys, licenseToken, offlineResponse } from '../support/license-keys.ts'
import { freshHome, type Home, licet } from '../support/licet-binary.ts'
import { catalogText, offlineRequestText, transactionText } from './invocations.ts'
import { recordRoutes } from './sound-records.ts'
import { soundConsumption, soundDecision, soundLedger, soundUpload, soundUsage } from './sound-usage.ts'
import { json, standIn, standInSecret, standInTenantId } from './tenant-stand-in.ts'

const summary = { create: 1, update: 0, unchanged: 0, onlyHere: 0, errors: 0, warnings: 0 }
const report = {
  formatVersion: '1.0',
  comparedAt: '2026-01-01T00:00:00Z',
  sourceTenantId: null,
  targetTenantId: standInTenantId,
  environmentRevision: '7',
  summary,
  items: [{ kind: 'product', key: 'product:A', action: 'create', fingerprint: null }],
  onlyHere: [],
  errors: [],
  warnings: [],
}
const pastImport = {
  id: 'i',
  importedAt: '2026-01-01T00:00:00Z',
  importedBy: 'client:x',
  source: null,
  revisionBefore: '6',
  revisionAfter: '7',
  summary,
}
const drift = { since: pastImport, environmentRevision: '7', summary: { created: 0, changed: 0 }, items: [] }
const data = (value: unknown) => ({ result: { data: value } })

const keys = licenseKeys()
const session = { id: claims.sub, leaseExpiration: '2026-11-28T12:00:00Z', graceExpiration: '2026-12-01T12:00:00Z' }
const activations = 'POST /api/v1/provision/activations'
const usage = '/api/v1/provision/usage'

/** A tenant that answers everything about its catalog, licences and records well. */
export const soundTenant = () =>
  standIn({
    'GET /trpc/admin.catalog.export': (_, out) =>
      json(out, 200, data({ formatVersion: '1.0', products: [{ productCode: 'A', name: 'New' }] })),
    'POST /trpc/admin.catalog.compare': (_, out) => json(out, 200, data(report)),
    'POST /trpc/admin.catalog.import': (_, out) => json(out, 200, data({ importId: 'i', ...report })),
    'POST /trpc/admin.catalog.apply': (_, out) => json(out, 200, data({ importId: 'i', ...report })),
    'GET /trpc/admin.catalog.drift': (_, out) => json(out, 200, data(drift)),
    'GET /trpc/admin.catalog.imports.list': (_, out) =>
      json(out, 200, data({ items: [pastImport], totalCount: 1, hasNextPage: false })),
    'GET /trpc/admin.catalog.imports.get': (_, out) =>
      json(out, 200, data({ ...pastImport, report: { importId: 'i', ...report } })),
    'GET /trpc/admin.catalog.imports.before': (_, out) => json(out, 200, data({ formatVersion: '1.0', products: [] })),
    'GET /trpc/admin.clients.list': (_, out) => json(out, 200, data({ items: [], totalCount: 0, hasNextPage: false })),
    [`${activations}/license`]: (_, out) => json(out, 200, { token: licenseToken(keys), session }),
    [`${activations}/${claims.sub}/renew`]: (_, out) => json(out, 200, { token: licenseToken(keys), session }),
    [`${activations}/${claims.sub}/check-in`]: (_, out) =>
      json(out, 200, { session, serverTime: '2026-11-21T12:00:00Z', checkInBefore: '2026-11-28T12:00:00Z' }),
    [`${activations}/${claims.sub}/release`]: (_, out) =>
      json(out, 200, { sessionId: claims.sub, released: true, releasedAt: '2026-11-21T12:00:00Z' }),
    'POST /api/v1/provision/operational/activations/offline/issue': (_, out) => json(out, 200, offlineResponse(keys)),
    [`GET ${usage}/${claims.sub}/m/usage`]: (_, out) => json(out, 200, soundUsage),
    [`GET ${usage}/${claims.sub}/m/consumption`]: (_, out) => json(out, 200, soundConsumption),
    [`POST ${usage}/try-consume/${claims.sub}/m`]: (_, out) => json(out, 200, soundDecision),
    [`POST ${usage}/sessions/${claims.sub}/transactions`]: (_, out) => json(out, 200, soundUpload),
    'GET /trpc/operational.entitlements.balances.ledger': (_, out) => json(out, 200, data(soundLedger)),
    ...recordRoutes,
    'GET /api/v1/x': (_, out) => json(out, 200, { items: [] }),
  })

/** A webhook delivery of the day on which invocations verify it. */
function deliveryText(): string {
  const body = '{"id":"e"}'
  const now = Date.parse('2026-11-22T00:00:00Z')
  const headers = composeHeaders(Buffer.from(body), {}, secretsIn(standInSecret), { now, freshId: 'e' })
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`)
  return `${lines.join('')}\n${body}`
}

/** A home with the files that invocations name, and the environments one and two at a URL, the secret in its file. */
export function robustHome(url: string, home: Home = freshHome()): Promise<Home> {
  const files = {
    'one.yaml': catalogText,
    'pricing.yml': 'saasName: Acme\nversion: 3.0\ncurrency: EUR\nfeatures: {}\nplans: {}\n',
    secret: standInSecret,
    'delivery.txt': deliveryText(),
    code: 'CANARY-CODE-1234\n',
    'licence.jwt': licenseToken(keys),
    'jwks.json': JSON.stringify(keys.jwks),
    'request.json': offlineRequestText,
    'usage.jsonl': transactionText,
    'response.json': JSON.stringify(offlineResponse(keys)),
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(home.directory, name), text)
  return withEnvironments(home, url)
}

async function withEnvironments(home: Home, url: string): Promise<Home> {
  for (const [name, host] of [
    ['one', '127.0.0.1'],
    ['two', 'localhost'],
    ['unneeded', '127.0.0.1'],
  ] as const) {
    const at = url.replace('127.0.0.1', host)
    const args = [
      'env',
      'add',
      name,
      '--url',
      at,
      '--client-id',
      'cli ent:1',
      '--client-secret-file',
      'secret',
      '--force',
    ]
    const ended = await licet(args, { home })
    if (ended.exitCode !== 0) throw new Error(ended.stderr)
  }
  return home
}

/** Environments of a home that stay what they are but for where they lead. */
export const leadElsewhere = withEnvironments
