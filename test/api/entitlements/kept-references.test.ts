import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { describe, expect, test } from 'vitest'
import type { Answer } from '../../support/server.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { devicesOf } from '../activations/devices.ts'
import { nextNumber, problemOf } from '../catalog/catalog-collection.ts'

type Json = ReturnType<typeof JSON.parse>
type Ask = () => Promise<Answer>
/** Two requests of which the one takes what the other refers to, and what is wrong once both are answered. */
interface Race {
  refer: Ask
  take: Ask
  wrong?: (refer: Answer, take: Answer) => Promise<unknown>
}

forEachStore((store) => {
  const server = serveTests(store)
  const acme = devicesOf(server)
  const ask = (method: string, where: string, body?: object) => acme.at(method, where, body ? { body } : {})
  const admin = (where: string, body: object): Promise<Json> => acme.post(`admin/${where}`, body)
  const named = () => `Kept ${nextNumber()}`

  const product = () => admin('products', { name: named(), productCode: `KEPT${nextNumber()}` })
  const planned = async () => {
    const { id: productId } = await product()
    const plans = ['Pro', 'Other'].map((name) => ({ name, lineItems: [{ productId, featureValues: [] }] }))
    const set = await admin('usage-plans/plan-sets', { productId, name: named(), plans })
    return { productId, set, onPlan: { assignedPlanSetId: set.id, assignedPlanName: 'Pro' } }
  }
  const tagged = async () => {
    const [taken, kept] = [await tag(), await tag()]
    return { taken, kept, merge: () => ask('POST', `admin/tags/${taken.id}/merge`, { intoTagId: kept.id }) }
  }
  const tag = () => admin('tags', { scope: 'Entitlement', name: named() })
  const edit = (id: string, body: object) => ask('PATCH', `admin/entitlements/${id}`, body)
  const sell = (body: object = {}): Promise<Json> => acme.newEntitlement(body)
  const tagsOf = async (id: string): Promise<string[]> => (await acme.get(`admin/entitlements/${id}`)).tags

  /** Both may not be done: what is referred to is there. */
  const bothDone = async (refer: Answer, take: Answer) => refer.status < 300 && take.status < 300

  const races: Record<string, () => Promise<Race>> = {
    'a plan set that an entitlement is put on': async () => {
      const { set, onPlan } = await planned()
      const { id } = await sell()
      return { refer: () => edit(id, onPlan), take: () => ask('DELETE', `admin/usage-plans/plan-sets/${set.id}`) }
    },
    'a plan that an entitlement is made with': async () => {
      const { set, onPlan } = await planned()
      const others = { plans: set.plans.filter(({ name }: Json) => name === 'Other') }
      return {
        refer: () => ask('POST', 'admin/entitlements', { name: named(), status: 'Active', ...onPlan }),
        take: () => ask('PATCH', `admin/usage-plans/plan-sets/${set.id}`, others),
      }
    },
    'a product that comes with a plan': async () => {
      const { productId, onPlan } = await planned()
      const { id } = await sell()
      return { refer: () => edit(id, onPlan), take: () => ask('DELETE', `admin/products/${productId}`) }
    },
    'an offer that is cloned': async () => {
      const { id } = await admin('entitlements', { name: named(), isOffer: true })
      return {
        refer: () => ask('POST', 'admin/entitlements/offers/from-offer', { entitlementOfferId: id }),
        take: () => ask('PATCH', `admin/entitlements/${id}`, { isOffer: false }),
      }
    },
    'a customer that an entitlement is sold to': async () => {
      const { id } = await admin('customers', { name: named() })
      return {
        refer: () => ask('POST', 'admin/entitlements', { name: named(), status: 'Active', customerId: id }),
        take: () => ask('DELETE', `admin/customers/${id}`),
      }
    },
    'a customer whose Draft is activated': async () => {
      const { id: customerId } = await admin('customers', { name: named() })
      const { id } = await sell({ status: 'Draft', customerId })
      return {
        refer: () => ask('POST', `admin/entitlements/${id}/activate`),
        take: () => ask('DELETE', `admin/customers/${customerId}`),
      }
    },
    'a product whose Draft is activated': async () => {
      const { id: productId } = await product()
      const { id } = await sell({ status: 'Draft', products: [{ productId }] })
      return {
        refer: () => ask('POST', `admin/entitlements/${id}/activate`),
        take: () => ask('DELETE', `admin/products/${productId}`),
      }
    },
    'an organization group that a policy asks for': async () => {
      const group = await admin('organization-groups', { name: named() })
      const { id } = await sell()
      return {
        refer: () => edit(id, { activationPolicy: { requireOrganizationGroupMember: group.id } }),
        take: () => ask('DELETE', `admin/organization-groups/${group.id}`),
      }
    },
    'an organization group that a code asks for': async () => {
      const group = await admin('organization-groups', { name: named() })
      const { id } = await sell()
      return {
        refer: () => ask('POST', `admin/entitlements/${id}/activation-codes`, { organizationGroupId: group.id }),
        take: () => ask('DELETE', `admin/organization-groups/${group.id}`),
      }
    },
    'a user whom an entitlement is assigned to': async () => {
      const user = await admin('users', { email: `kept${nextNumber()}@example.com` })
      const { id } = await sell()
      return {
        refer: () => ask('POST', `admin/entitlements/${id}/principals/${user.id}`),
        take: () => ask('DELETE', `admin/users/${user.id}`),
        wrong: async (refer) => refer.status >= 500,
      }
    },
    'a tag that an entitlement is given while it is merged into another': async () => {
      const { taken, kept, merge } = await tagged()
      const { id } = await sell({ tags: [taken.name] })
      return {
        refer: () => edit(id, { tags: [kept.name] }),
        take: merge,
        wrong: async (...both) => !both.every(({ status }) => status === 200) || (await tagsOf(id))[0] !== kept.name,
      }
    },
    'a tag that an entitlement gives up while it is merged into another': async () => {
      const { taken, merge } = await tagged()
      const { id } = await sell({ tags: [taken.name] })
      return { refer: () => edit(id, { tags: [] }), take: merge, wrong: async () => (await tagsOf(id)).length > 0 }
    },
    'a tag that goes with its entitlement while it is merged into another': async () => {
      const { taken, kept, merge } = await tagged()
      const { id } = await sell({ tags: [taken.name] })
      return {
        refer: () => ask('DELETE', `admin/entitlements/${id}`),
        take: merge,
        wrong: async () => (await acme.get(`admin/tags/${kept.id}`)).usageCount > 0,
      }
    },
    'a tag that an entitlement is given while it is deleted': async () => {
      const { taken } = await tagged()
      const { id } = await sell()
      return {
        refer: () => edit(id, { tags: [taken.name] }),
        take: () => ask('DELETE', `admin/tags/${taken.id}`),
        wrong: async () => {
          const filter = encodeURIComponent(`name==${taken.name}`)
          const { totalCount } = await acme.get(`admin/tags?filter=${filter}`)
          return (await tagsOf(id)).length !== totalCount
        },
      }
    },
  }

  describe('what is referred to at the moment at which it is taken away', () => {
    test.each(Object.keys(races))('%s', async (name) => {
      const wrong: unknown[] = []
      let referredTo = 0
      // What takes starts this many milliseconds later, more of them for each race it wins: none wins them all.
      let lead = 0
      const oneRace = async () => {
        const { refer, take, wrong: isWrong = bothDone } = await races[name]!()
        const taking = at(lead + Math.random() * 16, take)
        const [referred, taken] = await Promise.all([at(Math.random() * 6, refer), taking])
        const isReferredTo = referred.status < 300
        if (isReferredTo) referredTo++
        lead = isReferredTo ? lead / 1.2 : lead * 1.2 + 1
        if (await isWrong(referred, taken)) wrong.push([problemOf(referred), problemOf(taken)])
      }
      for (let round = 0; round < 6; round++) await Promise.all(Array.from({ length: 5 }, oneRace))
      expect(wrong).toEqual([])
      expect(referredTo).toBeGreaterThan(0)
    })
  })

  const at = async (millis: number, asked: Ask) => {
    await sleep(millis)
    return asked()
  }

  test.runIf(store.kind === 'postgres')('applications wait for nobody who waits for the catalog', async () => {
    const license = await acme.newDevice((await acme.newCode((await sell()).id)).activationCode)
    const offer = await admin('entitlements', { name: named(), isOffer: true })
    const importing = new Client({ connectionString: server.databaseUrl })
    await importing.connect()
    try {
      const turn = `catalog/${server.tenantIds.acme}`
      await importing.query('begin')
      await importing.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [turn])
      const clones = Array.from({ length: 12 }, () =>
        ask('POST', 'admin/entitlements/offers/from-offer', { entitlementOfferId: offer.id }),
      )
      const waiting = `select 1 from pg_stat_activity
where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'advisory'`
      while ((await importing.query(waiting)).rowCount! < 8) await sleep(10)
      for (const deed of ['check-in', 'renew'] as const) expect((await acme.say(deed, license)).status).toBe(200)
      await importing.query('commit')
      expect((await Promise.all(clones)).map(({ status }) => status)).toEqual(clones.map(() => 200))
    } finally {
      await importing.end()
    }
  })
})
