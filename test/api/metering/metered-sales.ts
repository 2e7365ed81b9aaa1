import type { Answer, TestServer } from '../../support/server.ts'
import { devicesOf } from '../activations/devices.ts'
import { must, nextNumber } from '../catalog/catalog-collection.ts'

type Json = ReturnType<typeof JSON.parse>

/** A tier that ends where it is told, with a policy. */
export const tier = (startUsage: number, endUsage: number | null, quotaUsagePolicy: string, more: object = {}) => ({
  ...{ startUsage, endUsage, quotaUsagePolicy },
  ...more,
})

/** Sold meters and the applications that consume by them, through the API. */
export function metersOf(server: TestServer, tenant: 'live' | 'sandbox' = 'live') {
  const devices = devicesOf(server, tenant === 'live' ? {} : { tenant: 'sandbox' })
  const admin = (where: string, body?: object): Promise<Json> => devices.post(`admin/${where}`, body)
  const runtime = (method: string, where: string, token: string, more: object = {}): Promise<Answer> =>
    devices.at(method, `usage/${where}`, { token, ...more })

  return {
    admin,
    devices,
    /** An active entitlement to a product that has these monitored assets: `{ metricName: definition }`, and a feature for each. */
    async newEntitlement(assets: Record<string, object>, body: object = {}): Promise<Json> {
      const features = Object.keys(assets).map((metric) => ({
        ...{ featureCode: metric.toUpperCase(), featureType: 'Metered', usageMetric: metric },
      }))
      const product = await admin('products', { productCode: `METERED-${nextNumber()}`, name: 'Metered', features })
      for (const [metricName, definition] of Object.entries(assets))
        await admin('monitored-assets', { productId: product.id, metricName, name: metricName, ...definition })
      return devices.newEntitlement({
        products: [{ productId: product.id }],
        licensePolicy: { leaseTime: 'P400D' },
        ...body,
      })
    },
    /** The licence of a device on the entitlement: `{ token, session }`. */
    async newSession(entitlementId: string): Promise<Json> {
      const { activationCode } = await devices.newCode(entitlementId)
      return devices.newDevice(activationCode)
    },
    /** The licence of a device on a new entitlement with these monitored assets. */
    async newLicense(assets: Record<string, object>): Promise<Json> {
      const entitlement = await this.newEntitlement(assets)
      return { ...(await this.newSession(entitlement.id)), entitlementId: entitlement.id }
    },
    tryConsume: ({ token, session }: Json, metric: string, amount: number | string, key = `key ${nextNumber()}`) =>
      runtime(
        'POST',
        `try-consume/${session.id}/${metric}?amount=${amount}&idempotentKey=${encodeURIComponent(key)}`,
        token,
      ),
    /** The decision on an amount. */
    async consume(license: Json, metric: string, amount: number | string, key?: string): Promise<Json> {
      return must(this.tryConsume(license, metric, amount, key))
    },
    preallocate: ({ token, session }: Json, metric: string, query = ''): Promise<Json> =>
      must(runtime('POST', `try-preallocate/${session.id}/${metric}${query}`, token)),
    usage: ({ token, session }: Json, metric: string): Promise<Json> =>
      must(runtime('GET', `${session.id}/${metric}/usage`, token)),
    consumption: ({ token, session }: Json, metric: string): Promise<Json> =>
      must(runtime('GET', `${session.id}/${metric}/consumption`, token)),
    hold: ({ token, session }: Json, metric: string, body: object) =>
      runtime('POST', `holds/${session.id}/${metric}`, token, {
        body: { idempotentKey: `hold ${nextNumber()}`, ...body },
      }),
    settle: ({ token }: Json, holdId: string, amount: number) =>
      runtime('POST', `holds/${holdId}/settle`, token, { body: { amount } }),
    release: ({ token }: Json, holdId: string) => runtime('POST', `holds/${holdId}/release`, token),
    runtime,
  }
}
