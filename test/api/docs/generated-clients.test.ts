import { beforeAll, describe, expect, test } from 'vitest'
import type { Answer } from '../../support/server.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { devicesOf } from '../activations/devices.ts'

type Json = ReturnType<typeof JSON.parse>

forEachStore((store) => {
  describe('what clients that are generated from the OpenAPI document rely on', () => {
    const server = serveTests(store)
    const acme = devicesOf(server)
    let document: Json
    let operations: (Json & { path: string; method: string })[]

    beforeAll(async () => {
      document = (await server.api('GET', '/openapi.json', { token: null })).body
      operations = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
        Object.entries<Json>(methods).map(([method, operation]) => ({ ...operation, path, method })),
      )
    })
    const at = (reference: string): Json =>
      reference
        .slice(2)
        .split('/')
        .reduce((node, segment) => node[segment], document)
    const resolved = (said: Json): Json => (said?.$ref ? at(said.$ref) : said)

    test('a field that stays as it is when it is absent has no default, which they would send', () => {
      const policy = /\/policies\//
      const merging = operations.filter(({ method, path }) => ['patch', 'put'].includes(method) && !policy.test(path))
      expect(merging.length).toBeGreaterThan(25)
      const told = merging.flatMap(({ operationId, requestBody }) =>
        defaultsIn(requestBody?.content['application/json'].schema, resolved).map((where) => `${operationId}${where}`),
      )
      expect(told).toEqual([])
      const { entitlementParameters } = document.components.schemas.OfferFromOfferBody.properties
      expect(defaultsIn(entitlementParameters, resolved)).toEqual([])
      const { status } = document.components.schemas.ProductCreateBody.properties
      expect(status.default).toBe('Draft')
    })

    test('no field is null by default: some take a field with a default for one that must be sent', () => {
      expect(JSON.stringify(document)).not.toContain('"default":null')
    })

    test('date-times and ids are told as such, where they are sent and where they are answered', () => {
      const formatAt = (name: string, field: string) => document.components.schemas[name].properties[field].format
      for (const [name, ...fields] of [
        ['Session', 'activationTime', 'lastAccessTime', 'leaseExpiration', 'trialExpiration', 'notValidAfterTimestamp'],
        ['ActivationCheckInAnswer', 'serverTime', 'checkInBefore'],
        ['ActivationReleaseAnswer', 'releasedAt'],
        ['UsageTryPreallocateAnswer', 'periodStart', 'periodEnd', 'decidedAt'],
        ['UsageConsumptionAnswer', 'periodStart', 'suspendedUntilAt', 'lastDeposit', 'lastUnfundedAt'],
        ['HoldOpenAnswer', 'expiresAt', 'decidedAt'],
        ['Client', 'createdAt', 'updatedAt', 'previousSecretValidUntil'],
        ['Key', 'createdAt', 'retiredAt', 'verifiesUntil'],
        ['TestClock', 'now'],
        ['Product', 'expirationDate', 'createdAt'],
        ['ProductCreateBody', 'expirationDate'],
        ['Entitlement', 'notValidBeforeDateTime', 'expirationDateTime', 'activatedAt', 'trialEndsAt'],
        ['EntitlementCreateBody', 'notValidBeforeDateTime', 'expirationDateTime'],
        ['ActivationCodeIssueBody', 'expirationTimeStamp'],
      ] as const)
        for (const field of fields) expect.soft(formatAt(name, field), `${name}.${field}`).toBe('date-time')
      expect(formatAt('Product', 'id')).toBe('uuid')
      expect(formatAt('EntitlementCreateBody', 'customerId')).toBe('uuid')
      const ofOthers = ['applicationInstanceId', 'correlationId', 'externalId', 'orderId', 'recordId', 'sourceTenantId']
      const isId = (field: string) => /^id$|Ids?$/.test(field) && !ofOthers.includes(field)
      const plain = Object.entries<Json>(document.components.schemas).flatMap(([name, { properties = {} }]) =>
        Object.entries<Json>(properties)
          .map(([field, said]) => [field, said.items ?? said] as const)
          .filter(([field, { type, format }]) => isId(field) && [type].flat().includes('string') && format !== 'uuid')
          .map(([field]) => `${name}.${field}`),
      )
      expect(plain).toEqual([])
      const get = operations.find(({ operationId }) => operationId === 'admin.products.get')
      expect(get!.parameters[0].schema.format).toBe('uuid')
    })

    test('what is answered beside the seven fields of a problem is told', async () => {
      const { entitlement, code } = await sold({ licensePolicy: { maxDeviceActivations: 0 } })
      expect(entitlement.id).toBeDefined()
      const meta = { schemaVersion: 1, nonce: 'A'.repeat(43), requestedAt: '2026-03-04T05:06:07Z', sdkVersion: '1' }
      const body = { meta, body: { activationCode: code, fingerprint: 'plant' } }
      const offline = await acme.at('POST', 'operational/activations/offline/issue', { body })
      const snapshot = { formatVersion: '1.0', tags: [{ scope: 'Product', name: 'Moved' }] }
      const apply = { snapshot, expected: { 'tag:Product/Moved': 'as it never was' } }
      const moved = await acme.at('POST', 'admin/catalog/apply', { body: apply })
      expect([offline.body.codeName, moved.body.codeName]).toEqual([
        'offline.activation_refused',
        'catalog.environment_changed',
      ])
      const { properties } = document.components.schemas.Problem
      for (const answer of [offline, moved])
        expect(Object.keys(answer.body).filter((name) => !(name in properties))).toEqual([])
      expect(Object.keys(moved.body.moved[0]).toSorted()).toEqual(
        Object.keys(properties.moved.items.properties).toSorted(),
      )
    })

    test('the code that refuses another device, another session or a broken path is told', async () => {
      const { code } = await sold()
      const [one, other] = [await acme.newDevice(code, 'one'), await acme.newDevice(code, 'other')]
      const path = `usage/${one.session.id}/nothing/usage`
      await expectTold('activations.release', 2106, () =>
        acme.at('POST', `activations/${one.session.id}/release`, { token: one.token, body: { fingerprint: 'other' } }),
      )
      await expectTold('usage.usage', 1103, () => acme.at('GET', path, { token: other.token }))
      await expectTold('usage.tryConsume', 1103, () =>
        acme.at('POST', `usage/try-consume/${one.session.id}/x?amount=1&idempotentKey=k`, { token: other.token }),
      )
      await expectTold('admin.products.get', 1001, () => acme.at('GET', 'admin/products/%ff'))
    })

    async function sold(more: object = {}) {
      const entitlement = await acme.newEntitlement(more)
      return { entitlement, code: (await acme.newCode(entitlement.id)).activationCode as string }
    }

    async function expectTold(operationId: string, code: number, call: () => Promise<Answer>) {
      const answer = await call()
      expect(answer.body.code).toBe(code)
      const { responses } = operations.find((operation) => operation.operationId === operationId)!
      expect(resolved(responses[answer.status]).description, operationId).toContain(`(${code})`)
    }
  })
})

/** Where a schema has a default, in it and in what it refers to. */
function defaultsIn(schema: Json, resolved: (said: Json) => Json, where = ''): string[] {
  const said = resolved(schema)
  if (typeof said !== 'object' || said === null) return []
  return [
    ...('default' in said ? [where] : []),
    ...Object.entries<Json>(said.properties ?? {}).flatMap(([name, field]) =>
      defaultsIn(field, resolved, `${where}/${name}`),
    ),
    ...defaultsIn(said.items, resolved, `${where}/*`),
    ...defaultsIn(said.additionalProperties, resolved, `${where}/*`),
  ]
}
