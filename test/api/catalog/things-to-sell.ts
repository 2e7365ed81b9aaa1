import type { TestServer } from '../../support/server.ts'
import { must, nextNumber } from './catalog-collection.ts'

const admin = '/api/v1/provision/admin'
type Json = ReturnType<typeof JSON.parse>

/** Requests below the admin path of a server's tenant acme. */
export function adminOf(server: TestServer) {
  const at = (method: string, where: string, body?: unknown, headers: Record<string, string> = {}) =>
    server.api(method, `${admin}/${where}`, { body, headers })
  const post = (where: string, body?: object): Promise<Json> => must(at('POST', where, body))
  return {
    at,
    post,
    /** A product, such as CAD-7 at version 2.0. */
    newProduct: (body: object = {}): Promise<Json> => {
      const n = nextNumber()
      return post('products', { productCode: `CAD-${n}`, productVersion: '2.0', name: `Cad ${n}`, ...body })
    },
    newFeature: (productId: string, featureCode: string, body: object = {}): Promise<Json> =>
      post('feature-catalog', { productId, featureCode, name: featureCode, ...body }),
    /** A suite of these products. */
    newSuite: (productIds: readonly string[], body: object = {}): Promise<Json> =>
      post('suites', {
        code: `SUITE-${nextNumber()}`,
        name: 'A suite',
        members: productIds.map((productId) => ({ productId })),
        ...body,
      }),
    newPlanSet: (owner: { suiteId: string } | { productId: string }, body: object = {}): Promise<Json> =>
      post('usage-plans/plan-sets', { name: `Plans ${nextNumber()}`, ...owner, ...body }),
  }
}

/** The pointers of a refused request's errors. */
export const pointersOf = (answer: { status: number; body: Json }) => [
  answer.status,
  answer.body.codeName,
  (answer.body.errors ?? []).map(({ pointer }: { pointer: string }) => pointer),
]
