import { type Answer, type CallOptions, everyScope, type TestServer } from '../../support/server.ts'
import { must, nextNumber } from '../catalog/catalog-collection.ts'

type Json = ReturnType<typeof JSON.parse>

/** Entitlements, codes and devices of a tenant, through its API; whatever is made is made under names of its own. */
export function devicesOf(server: TestServer, options: CallOptions = {}) {
  const at = (method: string, where: string, more: CallOptions = {}): Promise<Answer> =>
    server.api(method, `/api/v1/provision/${where}`, { ...options, ...more })
  const post = (where: string, body: object = {}): Promise<Json> => must(at('POST', where, { body }))
  const activate = (activationCode: string, fingerprint: string, more: object = {}, call: CallOptions = {}) =>
    at('POST', 'activations/license', { token: null, body: { activationCode, fingerprint, ...more }, ...call })
  return {
    at,
    post,
    get: (where: string): Promise<Json> => must(at('GET', where)),
    patch: (where: string, body: object): Promise<Json> => must(at('PATCH', where, { body })),
    /** Moves the sandbox's clock; its tokens are none any more, so there are new ones. */
    advance: async (by: string | { to: string }) => {
      await post('admin/test-clock/advance', typeof by === 'string' ? { by } : by)
      server.tokens.sandbox = await server.tokenWith(everyScope, 'sandbox')
    },
    /** An entitlement that is Active, unless the body says otherwise. */
    newEntitlement: (body: object = {}): Promise<Json> =>
      post('admin/entitlements', { name: `Sold ${nextNumber()}`, status: 'Active', ...body }),
    newCode: (entitlementId: string, body: object = {}): Promise<Json> =>
      post(`admin/entitlements/${entitlementId}/activation-codes`, body),
    activate,
    /** The licence of a device that must be let in. */
    newDevice: (activationCode: string, fingerprint = `device ${nextNumber()}`, more: object = {}): Promise<Json> =>
      must(activate(activationCode, fingerprint, more)),
    /** What an application does with its license token. */
    say: (deed: 'renew' | 'check-in' | 'release', { token, session }: Json) =>
      at('POST', `activations/${session.id}/${deed}`, { token, body: {} }),
  }
}
