import type { TestServer, TestTenant } from '../../support/server.ts'
import { devicesOf } from '../activations/devices.ts'
import { must, nextNumber } from '../catalog/catalog-collection.ts'

type Json = ReturnType<typeof JSON.parse>

/** One record of each kind in a tenant, found by where its kind stands in a path, and the tokens of its people. */
export interface OneOfEach {
  tokens: Record<'client' | 'session' | 'user', string>
  /** The path of an operation with the ids of these records in it. */
  fill(path: string): string
}

/** Makes one record of each kind, through the API. */
export async function makeOneOfEach(server: TestServer, tenant: TestTenant): Promise<OneOfEach> {
  const { at, post, get, newEntitlement, newCode, newDevice } = devicesOf(server, { tenant })
  const ask = (method: string, path: string, body: object): Promise<Json> =>
    must(server.api(method, path, { tenant, body }))
  const n = nextNumber()
  const features = [{ featureCode: 'EXPORTS', featureType: 'Metered', usageMetric: 'exports' }]
  const product = await post('admin/products', { productCode: `EACH-${n}`, name: 'Each', features })
  const feature = await post('admin/feature-catalog', { productId: product.id, featureCode: 'EXTRA', name: 'Extra' })
  const asset = await post('admin/monitored-assets', {
    ...{ productId: product.id, metricName: 'exports', name: 'Exports' },
    meteredUsage: { consumptionPeriod: 'Monthly', usageTiers: [{ startUsage: 0, endUsage: 100 }] },
  })
  const credits = { productId: product.id, metricName: 'credits', name: 'Credits' }
  await post('admin/monitored-assets', { ...credits, balanceUsage: { initialCreditAmount: 10 } })
  const suite = await post('admin/suites', { code: `EACH-S-${n}`, name: 'Each', members: [{ productId: product.id }] })
  const planSet = await post('admin/usage-plans/plan-sets', {
    suiteId: suite.id,
    name: 'Each',
    plans: [{ name: 'Pro' }],
  })
  await post(`admin/usage-plans/plan-sets/${planSet.id}/publish`)
  const products = [{ productId: product.id }]
  const entitlement = await newEntitlement({ products, renewalPolicy: { planChangeApproval: 'Manual' } })
  const user = await post('admin/users', { email: `each-${n}@x.example` })
  await post(`admin/entitlements/${entitlement.id}/principals/${user.id}`)
  const code = await newCode(entitlement.id)
  const license = await newDevice(code.activationCode)
  const { access_token: userToken } = await post(`operational/users/${user.id}/tokens`)
  const by = (token: string, where: string, body: object): Promise<Json> => must(at('POST', where, { token, body }))
  const subscription = await ask('POST', '/api/v1/webhooks/admin/subscriptions', {
    ...{ url: 'https://each.example/hook', eventTypes: ['*'] },
  })

  /** By the path's own beginning, the longest that fits. */
  const byPlace: Record<string, Json> = {
    'admin/add-ons': await post('admin/add-ons', { suiteId: suite.id, code: `EACH-A-${n}`, name: 'Each' }),
    'admin/audit': (await get('admin/audit?pageSize=1')).items[0],
    'admin/campaigns': await post('admin/campaigns', { name: 'Each' }),
    'admin/clients': await post('admin/clients', { name: 'Each', scopes: ['admin.tags:read'] }),
    'admin/customers': await post('admin/customers', { name: 'Each' }),
    'admin/data-subject-requests': await by(userToken, 'consumer/me/data-subject-requests', { kind: 'Access' }),
    'admin/entitlements': entitlement,
    'admin/entitlements/offers': await post('admin/entitlements/offers', { name: `Each ${n}` }),
    'admin/feature-catalog': feature,
    'admin/feedback': await by(license.token, 'consumer/me/feedback', { kind: 'FeatureRequest', text: 'Each' }),
    'admin/keys': (await get('admin/keys?pageSize=1')).items[0],
    'admin/monitored-assets': asset,
    'admin/organization-groups': await post('admin/organization-groups', { name: `Each ${n}` }),
    'admin/plan-change-requests': await by(
      userToken,
      `consumer/me/entitlements/${entitlement.id}/plan-change-requests`,
      {
        ...{ planSetId: planSet.id, planName: 'Pro' },
      },
    ),
    'admin/products': product,
    'admin/rating-campaigns': await post('admin/rating-campaigns', {
      ...{ name: 'Each', targets: [{ featureCatalogId: feature.id }] },
    }),
    'admin/sessions': license.session,
    'admin/suites': suite,
    'admin/tags': await post('admin/tags', { scope: 'Product', name: `each ${n}` }),
    'admin/usage-plans/plan-sets': planSet,
    'admin/users': user,
    'operational/entitlements': entitlement,
    'operational/users': user,
    'consumer/me/entitlements': entitlement,
    'consumer/me/sessions': license.session,
    'webhooks/admin/subscriptions': subscription,
    'webhooks/integrator/subscriptions': subscription,
  }
  byPlace['consumer/me/data-subject-requests'] = byPlace['admin/data-subject-requests']
  const byName: Record<string, string> = {
    addOnId: byPlace['admin/add-ons'].id,
    codeId: code.id,
    entitlementId: entitlement.id,
    grantId: (await post(`operational/entitlements/${entitlement.id}/credit-grants`, { metric: 'credits', amount: 5 }))
      .id,
    holdId: (await by(license.token, `usage/holds/${license.session.id}/exports`, { idempotentKey: 'each', amount: 1 }))
      .holdId,
    metric: 'exports',
    principalId: user.id,
    productId: product.id,
    sessionId: license.session.id,
    userId: user.id,
  }
  const places = Object.keys(byPlace).sort((a, b) => b.length - a.length)

  return {
    tokens: { client: server.tokens[tenant], session: license.token, user: userToken },
    fill: (path) =>
      path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
        const place = places.find(
          (one) => path.startsWith(`/api/v1/provision/${one}/`) || path.startsWith(`/api/v1/${one}/`),
        )
        const id = name === 'id' ? place && byPlace[place].id : byName[name]
        return id ?? withoutRecord
      }),
  }
}

/** In the place of a record that takes long to come by, such as an import or a delivery: nobody's id. */
const withoutRecord = '01890000-0000-7000-8000-00000000000f'
