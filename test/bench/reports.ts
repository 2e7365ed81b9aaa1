import { latencies, shot } from './load.ts'
import { alternate, type Bench, isQuick, quantile, type Row, rounds, timed } from './measuring.ts'
import { type Served, stores, withServer } from './served.ts'
import { type Beside, openBeside, recordsEach, storeSales } from './stored-sales.ts'

const admin = '/api/v1/provision/admin'
const entitlements = isQuick ? 1000 : 100_000

/** Reports over 100,000 entitlements and 1,000,000 records of usage, against the plain SQL aggregate; and what requests wait meanwhile. */
export const benchReports: Bench = async () => {
  const rows: Row[] = []
  for (const store of stores) rows.push(...(await withServer(store, measure)))
  return rows
}

/** The aggregate that each report is made of, as one would type it: of doubles, and of nothing else. */
const plainSql = (tenantId: string, store: Served['store']): Record<string, string> => ({
  revenue: `select assigned_plan_set_id, assigned_plan_name, count(*) from entitlements
where tenant_id = '${tenantId}' and status = 'Active' group by 1, 2`,
  usage: `select metric_name, sum(cast(usage as ${store === 'sqlite' ? 'real' : 'double precision'})) from meter_states
join meters on meters.id = meter_id where meters.tenant_id = '${tenantId}' group by 1`,
  'feature-value': `select ${store === 'sqlite' ? 'event_data' : 'event_data::json'} ->> 'featureCode' as code, count(*)
from usage_transactions where tenant_id = '${tenantId}' and event_name = 'FeatureUsed' group by code`,
})

async function measure(served: Served): Promise<Row[]> {
  const beside = await openBeside(served)
  try {
    await storeSales(beside, served.store, { entitlementId: await sellOne(served) }, entitlements)
    return [...(await measureReports(served, beside)), ...(await measureWaiting(served))]
  } finally {
    await beside.close()
  }
}

async function measureReports(served: Served, { ask }: Beside): Promise<Row[]> {
  const rows: Row[] = []
  for (const [name, text] of Object.entries(plainSql(served.tenantId, served.store))) {
    const path = `${admin}/reports/${name}`
    await served.ask('GET', path)
    const { licet, floor } = await alternate(rounds, {
      licet: () => timed(() => served.ask('GET', path)),
      floor: () => timed(() => ask(text)),
    })
    const of = `${entitlements.toLocaleString('en')} entitlements, ${(entitlements * recordsEach).toLocaleString('en')} records`
    rows.push({
      name: `report ${name}, ${served.store}`,
      ...{ value: licet, floor, floorName: 'the plain SQL aggregate', unit: 'ms', note: of },
    })
  }
  return rows
}

/** What small requests wait while one report follows another, against what they wait on an idle server. */
async function measureWaiting(served: Served): Promise<Row[]> {
  const { server, base, tokens, store } = served
  const measured = '{"scope":"Product","name":"Measured"}'
  const tag = JSON.parse(await served.ask('POST', `${admin}/tags`, measured))
  const otherTag = JSON.parse(await served.ask('POST', `${admin}/tags`, measured, 'neighbour'))
  const headers = { authorization: `Bearer ${tokens.acme}` }
  let colour = 0
  const shots = {
    read: shot(server.origin, 'GET', `${base}${admin}/tags/${tag.id}`, { headers }),
    write: shot(server.origin, 'PATCH', `/t/neighbour${admin}/tags/${otherTag.id}`, {
      headers: { authorization: `Bearer ${tokens.neighbour}`, 'content-type': 'application/json' },
      body: () => JSON.stringify({ color: `#${(colour++ % 0xffffff).toString(16).padStart(6, '0')}` }),
    }),
  }
  const kinds = ['read', 'write'] as const
  const taken = { idle: { read: [], write: [] }, reports: { read: [], write: [] } } as Record<
    'idle' | 'reports',
    Record<(typeof kinds)[number], number[]>
  >
  const fire = (when: keyof typeof taken) =>
    Promise.all(
      kinds.map(async (kind) => {
        const pace = { perSecond: kind === 'read' ? 100 : 20, millis: isQuick ? 500 : 2000 }
        taken[when][kind].push(...(await latencies(server.origin, shots[kind], pace)))
      }),
    )
  for (let round = 0; round < Math.min(rounds, 4); round++) {
    await fire('idle')
    let going = true
    const busy = (async () => {
      while (going) for (const name of ['usage', 'feature-value']) await served.ask('GET', `${admin}/reports/${name}`)
    })()
    await fire('reports').finally(() => {
      going = false
    })
    await busy
  }
  return kinds.map((kind) => ({
    name: `p99 of a small ${kind} during reports, ${store}`,
    value: quantile(taken.reports[kind], 0.99),
    floor: quantile(taken.idle[kind], 0.99),
    floorName: 'idle',
    unit: 'ms',
    note: `median ${quantile(taken.reports[kind], 0.5).toFixed(1)}, idle ${quantile(taken.idle[kind], 0.5).toFixed(1)}`,
    target: { id: 'T10', of: 'ratio', atMost: 2 },
  }))
}

/** Sells a product with a feature, a metric and a plan once, and uploads that the feature was used. */
async function sellOne(served: Served): Promise<string> {
  const post = async (path: string, body: object) =>
    JSON.parse((await served.ask('POST', `/api/v1/provision/${path}`, JSON.stringify(body))) || 'null')
  const { id: productId } = await post('admin/products', { productCode: 'CAD', name: 'CAD' })
  await post('admin/feature-catalog', { productId, featureCode: 'EXPORT', name: 'Export', valueScore: 1.5 })
  await post('admin/monitored-assets', {
    ...{ productId, metricName: 'calls', name: 'Calls' },
    meteredUsage: { usageTiers: [{ startUsage: 0, endUsage: null, quotaUsagePolicy: 'AllowWithOverage' }] },
  })
  const plans = [{ name: 'Pro', monthlyPrice: 49.9, currency: 'EUR' }]
  const { id: planSetId } = await post('admin/usage-plans/plan-sets', { productId, name: 'Standard', plans })
  await post(`admin/usage-plans/plan-sets/${planSetId}/publish`, {})
  const sold = await post('admin/entitlements', { name: 'Sold', status: 'Active', products: [{ productId }] })
  await post(`admin/entitlements/${sold.id}/apply-plan`, { planSetId, planName: 'Pro' })
  const noted = { creationDateTime: new Date().toISOString() }
  await post(`usage/entitlements/${sold.id}/transactions`, [
    { ...noted, transactionId: 1, eventName: 'FeatureUsed', eventData: '{"featureCode":"EXPORT"}' },
  ])
  return sold.id
}
