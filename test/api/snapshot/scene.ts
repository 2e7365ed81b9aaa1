import SqliteConnection from 'better-sqlite3'
import pg from 'pg'
import type { Snapshot } from '../../../catalog-schema/snapshot.ts'
import { moveRevision } from '../../../server/catalog/records/revision.ts'
import { readDatabaseUrl } from '../../../server/database/database-url.ts'
import { openDatabase } from '../../../server/database/open.ts'
import { groupsOfCatalogs } from '../../support/generated-catalogs.ts'
import type { Answer, CallOptions, TestServer } from '../../support/server.ts'

const provision = '/api/v1/provision'
export const catalogPath = `${provision}/admin/catalog`

type Item = Record<string, unknown>
export type ReportedItem = {
  kind: string
  key: string
  action: 'create' | 'update' | 'unchanged'
  changes?: { path: string; before: unknown; after: unknown }[]
  fingerprint: string | null
  affects?: { entitlements: number }
}

/** The catalog's operations as a client of a tenant calls them. */
export const catalogOf = (server: TestServer, tenant: CallOptions['tenant'] = 'acme') => {
  const call = (method: string, path: string, options: CallOptions = {}) =>
    server.api(method, `${catalogPath}${path}`, { tenant, ...options })
  return {
    compare: (body: unknown, options: CallOptions & { query?: string } = {}) =>
      call('POST', `/compare${options.query ?? ''}`, { body, ...options }),
    import: (body: unknown, options: CallOptions & { query?: string } = {}) =>
      call('POST', `/import${options.query ?? ''}`, { body, ...options }),
    apply: (body: unknown, options: CallOptions & { query?: string } = {}) =>
      call('POST', `/apply${options.query ?? ''}`, { body, ...options }),
    export: (query = '', options: CallOptions = {}) => call('GET', `/export${query}`, options),
    imports: (path = '', options: CallOptions = {}) => call('GET', `/imports${path}`, options),
    drift: (options: CallOptions = {}) => call('GET', '/drift', options),
    admin: (method: string, path: string, body?: unknown, options: CallOptions = {}) =>
      server.api(method, `${provision}/admin/${path}`, { tenant, body, ...options }),
  }
}

/** Makes the organization groups that generated catalogs name. */
export async function makeGroups(...tenants: ReturnType<typeof catalogOf>[]): Promise<void> {
  for (const tenant of tenants)
    for (const name of groupsOfCatalogs) bodyOf(await tenant.admin('POST', 'organization-groups', { name }))
}

/** The answer's body, when the call succeeded; what went wrong otherwise. */
export function bodyOf(answer: Answer) {
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text.slice(0, 2000)}`)
  return answer.body
}

export const snapshotOf = (sections: object): Snapshot => ({ formatVersion: '1.0', ...sections }) as Snapshot

const product = { productCode: 'ACME-CAD', productVersion: '2.0' }

/** A small catalog with something of every kind. */
export const wholeCatalog = (): Snapshot =>
  snapshotOf({
    tags: [{ scope: 'Product', name: 'Beta', color: '#1a2b3c' }],
    products: [
      {
        ...product,
        name: 'Acme CAD',
        status: 'Published',
        tags: ['Beta', 'Cloud'],
        applicationScopes: ['desktop', 'server'],
        productInformation: { supportUrl: 'https://acme.example/support' },
        propertyValues: { colour: { key: 'colour', value: 'blue', metadata: [{ key: 'source', value: 'import' }] } },
        features: [{ featureCode: 'CORE', name: 'The core', featureType: 'Boolean', value: 'true' }],
      },
      { productCode: 'ACME-VIEW', name: 'Acme View', status: 'Draft' },
      { productCode: 'ACME-ADDIN', name: 'An add-in', parentProductCode: 'ACME-CAD', parentProductVersion: '2.0' },
    ],
    featureCatalog: [
      {
        ...product,
        featureCode: 'EXPORT_STEP',
        featureType: 'Boolean',
        lifecycleStatus: 'Published',
        tags: ['Headline'],
      },
      { ...product, featureCode: 'SEATS', featureType: 'Numeric', units: 'seats', lifecycleStatus: 'Published' },
      {
        ...product,
        featureCode: 'SIZE',
        featureType: 'Enumeration',
        enumOptions: [{ value: 'S', description: 'Small' }, { value: 'L' }],
      },
    ],
    monitoredAssets: [
      {
        ...product,
        metricName: 'export-step',
        unit: 'export',
        meteredUsage: {
          consumptionPeriod: 'Monthly',
          usageTiers: [
            { name: 'Included', startUsage: 0, endUsage: 100 },
            { name: 'Over', startUsage: 100, quotaUsageLevel: 'OverUsage', quotaUsagePolicy: 'Deny' },
          ],
        },
      },
    ],
    suites: [
      {
        code: 'ACME-DESIGN',
        name: 'Design',
        members: [
          { ...product, sortOrder: 1 },
          { productCode: 'ACME-VIEW', sortOrder: 2 },
        ],
      },
    ],
    plans: [
      {
        suiteCode: 'ACME-DESIGN',
        name: 'Standard',
        status: 'Published',
        plans: [
          { name: 'Free', sortOrder: 0, monthlyPrice: 0 },
          {
            name: 'Pro',
            sortOrder: 1,
            monthlyPrice: 49,
            currency: 'EUR',
            lineItems: [
              {
                ...product,
                featureValues: [
                  { featureCode: 'EXPORT_STEP', value: true },
                  { featureCode: 'SEATS', value: '3' },
                ],
              },
              { productCode: 'ACME-VIEW', included: false },
            ],
          },
        ],
      },
      {
        suiteCode: 'ACME-CAD@2.0',
        name: 'Alone',
        plans: [{ name: 'Only', lineItems: [{ featureValues: [{ featureCode: 'CORE', value: 'true' }] }] }],
      },
    ],
    addOns: [
      {
        suiteCode: 'ACME-DESIGN',
        code: 'RENDER-PACK',
        name: 'Rendering',
        features: [{ ...product, featureCode: 'SEATS' }],
        featureValues: [{ featureCode: 'SEATS', value: '10', operation: 'Add', planTargets: ['Pro'] }],
      },
    ],
    entitlementOffers: [
      {
        name: 'CAD Team',
        version: '1',
        licensePolicy: { licenseModel: 'Floating', maxDeviceActivations: 5 },
        products: [{ ...product, features: [{ featureCode: 'SEATS', value: '7' }] }],
        assignedPlan: { suiteCode: 'ACME-DESIGN', planSetName: 'Standard', planName: 'Pro' },
        tags: ['Self-service'],
      },
    ],
    ratingCampaigns: [
      {
        name: 'Exporting',
        startsAt: '2026-09-01T00:00:00Z',
        targets: [
          { ...product, featureCode: 'SIZE', priority: 2 },
          { ...product, featureCode: 'EXPORT_STEP', question: 'How do you like it?', priority: 1 },
        ],
      },
    ],
  })

/** The items of a snapshot's section, to be edited in place. */
export const sectionIn = (snapshot: Snapshot, section: string) =>
  (snapshot as unknown as Record<string, Item[]>)[section]!

/** Every row of every table of a database, and where its sequences stand: equal texts, equal databases. */
export async function dumpOf(databaseUrl: string): Promise<string> {
  const location = readDatabaseUrl(databaseUrl)
  return location.kind === 'sqlite' ? dumpSqlite(location.file) : dumpPostgres(location.url)
}

function dumpSqlite(file: string): string {
  const connection = new SqliteConnection(file, { readonly: true })
  try {
    const tables = connection
      .prepare("select name from sqlite_master where type = 'table' order by name")
      .pluck()
      .all() as string[]
    return linesOf(tables.map((table) => [table, connection.prepare(`select * from "${table}"`).all()]))
  } finally {
    connection.close()
  }
}

async function dumpPostgres(url: string): Promise<string> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    const rowsOf = async (statement: string) => (await client.query(statement)).rows
    const tables = await rowsOf(
      `select table_name from information_schema.tables where table_schema = 'public' order by table_name`,
    )
    const dumped: [string, unknown[]][] = [['sequences', await rowsOf('select * from pg_sequences')]]
    for (const { table_name } of tables) dumped.push([table_name, await rowsOf(`select * from "${table_name}"`)])
    return linesOf(dumped)
  } finally {
    await client.end()
  }
}

const linesOf = (tables: readonly (readonly [string, unknown[]])[]) =>
  tables
    .map(
      ([table, rows]) =>
        `${table}\n${rows
          .map((row) => JSON.stringify(row))
          .sort()
          .join('\n')}`,
    )
    .join('\n\n')

/** A report without what every call makes anew: the times and ids of the call itself, and the revision it led to. */
export function comparable(report: Record<string, unknown>) {
  const { comparedAt: _at, importId: _id, environmentRevision: _revision, ...rest } = report
  return rest
}

/** An export without what is its own: when and where it was made. */
export function portable(snapshotText: string): string {
  const { exportedAt: _at, sourceTenantId: _id, ...rest } = JSON.parse(snapshotText)
  return JSON.stringify(rest)
}

/** Takes a tenant's whole catalog away, past the server: the next compare finds nothing. */
export const clearCatalog = (databaseUrl: string, tenantId: string) => clearTables(databaseUrl, tenantId, emptied)

/** Leaves a tenant's catalog as if nothing of it had been imported. */
export const forgetImports = (databaseUrl: string, tenantId: string) =>
  clearTables(databaseUrl, tenantId, ['catalog_baselines', 'catalog_imports'])

async function clearTables(databaseUrl: string, tenantId: string, tables: readonly string[]): Promise<void> {
  const database = openDatabase(databaseUrl)
  try {
    await database.transact(async (tx) => {
      for (const table of tables)
        await tx
          .deleteFrom(table as 'tags')
          .where('tenant_id', '=', tenantId)
          .execute()
      await moveRevision(tx, tenantId)
    })
  } finally {
    await database.close()
  }
}

const emptied = [
  'rating_campaigns',
  'tag_assignments',
  'catalog_baselines',
  'catalog_imports',
  'entitlements',
  'add_ons',
  'plan_sets',
  'suites',
  'metrics',
  'features',
  'products',
  'tags',
]
