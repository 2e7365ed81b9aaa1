import { describe, expect, test } from 'vitest'
import { forEachStore } from '../../support/stores.ts'
import { must, noSuchId, problemOf } from '../catalog/catalog-collection.ts'
import { pointersOf } from '../catalog/things-to-sell.ts'
import { entitlementsInTime } from './entitlements-in-time.ts'

const day = 86_400_000
const monthly = { period: 'Monthly' }
const trial = { trialPolicy: { enabled: true, duration: 'P14D', startsOn: 'Creation' } }

forEachStore((store) => {
  const here = entitlementsInTime(store)
  const act = (id: string, action: string, body?: object) => here.at('POST', `admin/entitlements/${id}/${action}`, body)
  const active = async (fields: object = {}) => here.does((await here.create(fields)).id, 'activate')

  describe('steps', () => {
    test('an entitlement is activated, suspended, resumed and cancelled, each told once', async () => {
      const { id, status, subscriptionStatus } = await here.create()
      expect([status, subscriptionStatus]).toEqual(['Draft', 'Pending'])
      expect(await here.does(id, 'activate')).toMatchObject({ status: 'Active', subscriptionStatus: 'Active' })
      expect(await here.does(id, 'suspend')).toMatchObject({ status: 'Suspended', subscriptionStatus: 'PastDue' })
      expect(await here.does(id, 'resume')).toMatchObject({ status: 'Active', subscriptionStatus: 'Active' })
      const cancelled = await here.does(id, 'cancel')
      expect(cancelled).toMatchObject({ status: 'Cancelled', subscriptionStatus: 'Cancelled', revisionNumber: 5 })
      expect(await here.get(id)).toEqual(cancelled)
      expect(await here.typesOf(id)).toEqual(['Activated', 'Activated', 'Cancelled'])
      expect((await here.eventsOf(id))[2]?.data).toMatchObject({ entitlementId: id, status: 'Cancelled' })
      for (const action of ['activate', 'suspend', 'resume', 'cancel', 'renew'])
        expect(problemOf(await act(id, action))).toEqual([409, 'catalog.invalid_transition'])
      expect(await here.typesOf(id)).toHaveLength(3)
    })

    test('a status that is written takes the same steps and tells the same events', async () => {
      const { id } = await here.create({ renewalPolicy: monthly })
      const write = (status: string) => here.at('PATCH', `admin/entitlements/${id}`, { status })
      expect(await must(write('Active'))).toMatchObject({ status: 'Active', expirationDateTime: expect.any(String) })
      expect(problemOf(await write('Draft'))).toEqual([409, 'catalog.invalid_transition'])
      await must(write('Suspended'))
      await must(write('Active'))
      await must(write('Active'))
      await must(write('Cancelled'))
      expect(await here.typesOf(id)).toEqual(['Activated', 'Activated', 'Cancelled'])
    })

    test('of an end that is past when it is given, nobody is told that it approaches', async () => {
      const past = { expirationDateTime: '2020-01-01T00:00:00Z' }
      const { id, status } = await here.create({ status: 'Active', ...past })
      expect(status).toBe('Expired')
      const draft = await here.create(past)
      await must(here.at('PATCH', `admin/entitlements/${draft.id}`, { status: 'Active' }))
      const running = await active()
      expect(await must(here.at('PATCH', `admin/entitlements/${running.id}`, past))).toMatchObject({
        status: 'Expired',
      })
      for (const each of [id, draft.id, running.id]) expect(await here.typesOf(each)).toEqual(['Activated'])
    })

    test('what the neighbour asks, what is no entitlement, an old revision and a missing scope are refused', async () => {
      const { id } = await here.create()
      const actions = ['activate', 'suspend', 'resume', 'cancel', 'renew']
      const paths = [
        ...actions.map((action) => ['POST', `admin/entitlements/ID/${action}`]),
        ...['admin', 'operational'].map((audience) => [
          ...['PUT', `${audience}/entitlements/ID/policies/trial/restart-trial`],
        ]),
        ['POST', 'operational/entitlements/ID/renew'],
      ] as [string, string][]
      const token = await here.server.tokenWith(['admin.entitlements:read', 'operational.entitlements:read'], 'sandbox')
      for (const [method, path] of paths) {
        const url = (of: string) => `/api/v1/provision/${path.replace('ID', of)}`
        const notFound = [404, 'license.record_not_found']
        expect(problemOf(await here.server.api(method, url(id), { tenant: 'neighbour' }))).toEqual(notFound)
        expect(problemOf(await here.at(method, path.replace('ID', noSuchId)))).toEqual(notFound)
        const stale = await here.at(method, path.replace('ID', id), undefined, { 'if-match': '"7"' })
        expect(problemOf(stale)).toEqual([412, 'request.precondition_failed'])
        const refused = await here.server.api(method, url(id), { tenant: 'sandbox', token })
        expect(problemOf(refused)).toEqual([403, 'auth.insufficient_scope'])
      }
      expect(await here.get(id)).toMatchObject({ status: 'Draft', revisionNumber: 1 })
    })
  })

  describe('periods', () => {
    test('one that renews itself goes on for a year, at the end of every month', async () => {
      const year = new Date(await here.now()).getUTCFullYear() + 1
      await here.advance({ to: `${year}-01-31T09:00:00Z` })
      const { id, expirationDateTime } = await active({ renewalPolicy: { ...monthly, autoRenew: true } })
      expect(expirationDateTime).toContain(`${year}-02-2`)
      await here.advance({ by: 'P1Y' })
      const events = (await here.eventsOf(id)).filter(({ type }) => type === 'Renewed')
      expect(events).toHaveLength(12)
      const days = events.slice(0, 4).map(({ data }) => data.periodEnd.slice(5, 10))
      expect(days).toEqual(['03-31', '04-30', '05-31', '06-30'])
      for (const { at, data } of events) expect(at).toBe(Date.parse(data.periodStart))
      expect(await here.get(id)).toMatchObject({ status: 'Active', subscriptionStatus: 'Active' })
    })

    test('one that does not is told of its end a week before, and is Expired', async () => {
      const { id, expirationDateTime } = await active({ renewalPolicy: { period: 'Weekly', expiringNotice: 'P2D' } })
      const end = Date.parse(expirationDateTime)
      await here.advance({ by: 'P4D' })
      expect(await here.typesOf(id)).toEqual(['Activated'])
      await here.advance({ by: 'P2D' })
      const noticed = await here.get(id)
      expect(noticed).toMatchObject({ status: 'Active', revisionNumber: 2 })
      await here.advance({ by: 'P2D' })
      expect(await here.get(id)).toMatchObject({ status: 'Expired', subscriptionStatus: 'Expired', revisionNumber: 3 })
      const [, expiring, ...more] = await here.eventsOf(id)
      expect(expiring).toMatchObject({ type: 'Expiring', at: end - 2 * day, data: { expirationDateTime } })
      expect(more).toEqual([])
    })

    test('an operational renewal moves the end on, and makes an Expired one Active again', async () => {
      const { id, expirationDateTime } = await active({ renewalPolicy: monthly })
      const renew = (body?: object) => here.at('POST', `operational/entitlements/${id}/renew`, body)
      const ahead = await must(renew())
      expect(Date.parse(ahead.expirationDateTime)).toBeGreaterThanOrEqual(Date.parse(expirationDateTime) + 28 * day)
      await here.advance({ by: 'P3M' })
      expect(await here.get(id)).toMatchObject({ status: 'Expired' })
      const until = new Date((await here.now()) + 90 * day).toISOString()
      expect(await must(renew({ until }))).toMatchObject({ status: 'Active', expirationDateTime: until })
      expect(await here.typesOf(id)).toEqual(['Activated', 'Renewed', 'Expiring', 'Renewed', 'Activated'])
      const twice = await must(renew({ periods: '2' }))
      expect(Date.parse(twice.expirationDateTime)).toBeGreaterThan(Date.parse(until) + 58 * day)
      expect(pointersOf(await renew({ until, periods: 1 }))[2]).toEqual([''])
      expect(pointersOf(await renew({ until }))[2]).toEqual(['/until'])
      expect(pointersOf(await renew({ periods: 0 }))[2]).toEqual(['/periods'])
      expect(pointersOf(await renew({ period: 1 }))[2]).toEqual(['/period'])
    })

    test('without a renewal policy periods are years, where they are asked for or an end is moved', async () => {
      const { id } = await active()
      const renew = (body?: object) => here.at('POST', `admin/entitlements/${id}/renew`, body)
      const yearsFrom = (at: number, years: number) =>
        new Date(at).setUTCFullYear(new Date(at).getUTCFullYear() + years)
      for (const body of [undefined, {}, { periods: null }])
        expect(pointersOf(await renew(body))[2]).toEqual(['/until'])
      const now = await here.now()
      const end = Date.parse((await must(renew({ periods: 2 }))).expirationDateTime)
      expect(end - yearsFrom(now, 2)).toBeGreaterThanOrEqual(-day)
      expect(end - yearsFrom(now, 2)).toBeLessThan(2 * day)
      const moved = await must(renew())
      expect([moved.expirationDateTime, moved.renewalPolicy]).toEqual([new Date(yearsFrom(end, 1)).toISOString(), null])
    })

    test('a status that is written points into its own request', async () => {
      const { id } = await active({ trialPolicy: { enabled: true, duration: 'P1D', startsOn: 'Creation' } })
      await here.advance({ by: 'P2D' })
      const refused = await here.at('PATCH', `admin/entitlements/${id}`, { status: 'Active' })
      expect([...problemOf(refused), refused.body.errors]).toEqual([409, 'catalog.invalid_transition', undefined])
      const until = new Date((await here.now()) + 9 * day).toISOString()
      expect(await here.does(id, 'renew', { until })).toMatchObject({ status: 'Active', expirationDateTime: until })
    })

    test('a renewal that is sent again under its key renews once', async () => {
      const { id } = await active({ renewalPolicy: monthly })
      const renew = () =>
        here.at('POST', `operational/entitlements/${id}/renew`, { periods: 1 }, { 'idempotency-key': `renew ${id}` })
      const [first, again] = [await renew(), await renew()]
      expect(again.text).toBe(first.text)
      expect(again.headers.get('idempotency-replayed')).toBe('true')
      expect(await here.typesOf(id)).toEqual(['Activated', 'Renewed'])
    })

    test('an end that is moved by hand into the past is the end at once', async () => {
      const { id } = await active()
      const expirationDateTime = new Date((await here.now()) - day).toISOString()
      const over = await must(here.at('PATCH', `admin/entitlements/${id}`, { expirationDateTime }))
      expect(over).toMatchObject({ status: 'Expired', subscriptionStatus: 'Expired' })
    })
  })

  describe('trials', () => {
    test.each(['admin', 'operational'])('a trial that was over is restarted through %s', async (audience) => {
      const { id, ...begun } = await active(trial)
      expect(begun).toMatchObject({ isEntitlementTrial: true, subscriptionStatus: 'Trialing' })
      const restart = () => here.at('PUT', `${audience}/entitlements/${id}/policies/trial/restart-trial`)
      await here.advance({ by: 'P15D' })
      expect(await here.get(id)).toMatchObject({ status: 'Expired', subscriptionStatus: 'Expired' })
      expect(await must(restart())).toMatchObject({ status: 'Active', subscriptionStatus: 'Trialing' })
      await here.advance({ by: 'P13D' })
      expect(await here.get(id)).toMatchObject({ status: 'Active' })
      await here.advance({ by: 'P1D' })
      expect(await here.get(id)).toMatchObject({ status: 'Expired' })
      expect(await here.typesOf(id)).toEqual(['Activated', 'TrialExpiring', 'Activated', 'TrialExpiring'])
      const events = await here.eventsOf(id)
      for (const { type, at, data } of events)
        if (type === 'TrialExpiring') expect(at).toBe(Date.parse(data.trialEndsAt) - 7 * day)
    })

    test('a trial from creation, or a restarted one, begins no sooner than the entitlement is valid', async () => {
      const begins = (await here.now()) + 30 * day
      const notValidBeforeDateTime = new Date(begins).toISOString()
      const { id, ...begun } = await active({ ...trial, notValidBeforeDateTime })
      const whole = { trialStartedAt: notValidBeforeDateTime, trialEndsAt: new Date(begins + 14 * day).toISOString() }
      expect(begun).toMatchObject(whole)
      const restart = () => here.at('PUT', `operational/entitlements/${id}/policies/trial/restart-trial`)
      expect(await must(restart())).toMatchObject(whole)
      await here.advance({ by: 'P31D' })
      expect(await here.get(id)).toMatchObject({ status: 'Active', subscriptionStatus: 'Trialing' })
      await here.advance({ by: 'P13D' })
      expect(await here.get(id)).toMatchObject({ status: 'Expired' })
    })

    test('a Draft whose trial is over is activated when that was restarted', async () => {
      const { id, trialEndsAt } = await here.create(trial)
      await here.advance({ by: 'P15D' })
      const refused = await here.at('POST', `admin/entitlements/${id}/activate`)
      expect([...problemOf(refused), refused.body.detail]).toEqual([
        ...[409, 'catalog.invalid_transition'],
        `Its trial ended at ${trialEndsAt}: give it a new one by restart-trial first.`,
      ])
      await must(here.at('PUT', `operational/entitlements/${id}/policies/trial/restart-trial`))
      expect(await here.does(id, 'activate')).toMatchObject({ status: 'Active' })
    })

    test('what is no trial has none to restart', async () => {
      const { id } = await active()
      const refused = await here.at('PUT', `operational/entitlements/${id}/policies/trial/restart-trial`)
      expect(problemOf(refused)).toEqual([409, 'catalog.invalid_transition'])
    })
  })
})
