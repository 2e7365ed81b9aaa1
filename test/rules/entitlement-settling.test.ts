import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { EntitlementRow } from '../../server/entitlements/entitlements/loading.ts'
import { settle } from '../../server/entitlements/life/settling.ts'
import { entitlementRow } from '../support/entitlement-rows.ts'

const day = 86_400_000
const at = (text: string) => Date.parse(`${text}T00:00:00Z`)

/** The types of the events that settling by then records, and how the row stands. */
function settled(row: EntitlementRow, now: number) {
  const { row: after, happenings } = settle(row, now)
  return { after, types: happenings.map(({ type }) => type.replace('Entitlement.', '')) }
}

describe('what time makes of an entitlement', () => {
  const ending = entitlementRow({ status: 'Active', expiration_date_time: at('2027-06-30') })

  test('notice of the end is given once, a week before it; then it is Expired at that very instant', () => {
    expect(settle(ending, at('2027-01-01')).row.next_due_at).toBe(at('2027-06-23'))
    expect(settled(ending, at('2027-06-23') - 1).types).toEqual([])
    const { after, types } = settled(ending, at('2027-06-23'))
    expect(types).toEqual(['Expiring'])
    expect(after).toMatchObject({ status: 'Active', next_due_at: at('2027-06-30') })
    expect(settled(after, at('2027-06-30') - 1)).toEqual({ after, types: [] })
    expect(settled(after, at('2027-06-30'))).toMatchObject({
      after: { status: 'Expired', subscription_status: 'Expired', next_due_at: null },
      types: [],
    })
  })

  test('an end that is moved is given notice of again', () => {
    const told = settle(ending, at('2027-06-25')).row
    const moved = { ...told, expiration_date_time: at('2027-09-30') }
    expect(settled(moved, at('2027-06-26')).types).toEqual([])
    expect(settled(moved, at('2027-09-29')).types).toEqual(['Expiring'])
  })

  test('the policy says how long before the end notice is given; a notice longer than all of it is given at once', () => {
    const monthly = { ...ending, renewal_policy: JSON.stringify({ period: 'Monthly', expiringNotice: 'P1M' }) }
    expect(settle(monthly, 0).row.next_due_at).toBe(at('2027-05-30'))
    const longest = { ...ending, renewal_policy: JSON.stringify({ period: 'Monthly', expiringNotice: 'P900000Y' }) }
    expect(settled(longest, at('2027-01-01')).types).toEqual(['Expiring'])
  })

  test('one that renews itself goes on from period to period, each told once and never called expiring', () => {
    const renewing = entitlementRow({
      ...{ status: 'Active', renewalPolicy: { period: 'Monthly', autoRenew: true } },
      ...{ expiration_date_time: at('2027-01-31'), period_anchor_at: at('2027-01-31') },
    })
    const { row, happenings } = settle(renewing, at('2027-04-01'))
    expect(row).toMatchObject({ status: 'Active', expiration_date_time: at('2027-04-30') })
    expect(row.period_started_at).toBe(at('2027-03-31'))
    const periods = [
      ['2027-01-31T00:00:00.000Z', '2027-02-28T00:00:00.000Z'],
      ['2027-02-28T00:00:00.000Z', '2027-03-31T00:00:00.000Z'],
      ['2027-03-31T00:00:00.000Z', '2027-04-30T00:00:00.000Z'],
    ]
    expect(happenings).toMatchObject(
      periods.map(([periodStart, periodEnd]) => ({ type: 'Entitlement.Renewed', data: { periodStart, periodEnd } })),
    )
  })

  test('a trial from creation runs from the first time it is settled; it is told of, and is over', () => {
    const trial = entitlementRow({ status: 'Active', trialPolicy: { enabled: true, startsOn: 'Creation' } })
    const begun = settle(trial, at('2027-01-01')).row
    expect(begun).toMatchObject({ subscription_status: 'Trialing', trial_ends_at: at('2027-01-15') })
    expect(begun.next_due_at).toBe(at('2027-01-08'))
    expect(settled(begun, at('2027-01-14')).types).toEqual(['TrialExpiring'])
    expect(settled(begun, at('2027-01-15'))).toMatchObject({
      after: { status: 'Expired', subscription_status: 'Expired', next_due_at: null },
      types: ['TrialExpiring'],
    })
  })

  test('a trial from creation begins when the entitlement becomes valid, if that is still to come', () => {
    const trial = entitlementRow({ status: 'Active', trialPolicy: { duration: 'P3D', startsOn: 'Creation' } })
    const later = settle({ ...trial, not_valid_before_date_time: at('2027-03-01') }, at('2027-01-01')).row
    expect(later).toMatchObject({ trial_started_at: at('2027-03-01'), trial_ends_at: at('2027-03-04') })
    expect(settled(later, at('2027-03-01') - 1).types).toEqual([])
    expect(settled(later, at('2027-03-01')).types).toEqual(['TrialExpiring'])
    const passed = settle({ ...trial, not_valid_before_date_time: at('2026-12-01') }, at('2027-01-01')).row
    expect(passed).toMatchObject({ trial_started_at: at('2027-01-01'), trial_ends_at: at('2027-01-04') })
  })

  test('a trial shorter than the notice is told of when it begins', () => {
    const trial = entitlementRow({ status: 'Active', trialPolicy: { duration: 'P3D', startsOn: 'Creation' } })
    expect(settled(trial, at('2027-01-01')).types).toEqual(['TrialExpiring'])
  })

  test('a trial from activation waits for a device, and one that is paid for ends no more', () => {
    const trial = entitlementRow({ status: 'Active', trialPolicy: { enabled: true, startsOn: 'Activation' } })
    expect(settle(trial, at('2027-01-01')).row).toMatchObject({
      ...{ trial_started_at: null, subscription_status: 'Trialing', next_due_at: null },
    })
    const paid = { ...trial, trial_started_at: 0, trial_ends_at: 14 * day, is_entitlement_trial: 0 }
    expect(settle(paid, at('2027-01-01')).row).toMatchObject({ status: 'Active', next_due_at: null })
  })

  test.each(['Draft', 'Cancelled', 'Expired'])('time does nothing to one that is %s', (status) => {
    const row = { ...ending, status, trial_started_at: 0, trial_ends_at: day }
    expect(settled(row, at('2030-01-01'))).toMatchObject({ after: { status, next_due_at: null }, types: [] })
  })

  test('suspending stops the use, not the time', () => {
    const { after, types } = settled({ ...ending, status: 'Suspended' }, at('2028-01-01'))
    expect([after.status, types]).toEqual(['Expired', ['Expiring']])
    expect(settle({ ...ending, status: 'Suspended' }, 0).row.subscription_status).toBe('PastDue')
  })

  test('an offer and a deleted entitlement are never due', () => {
    for (const more of [{ is_offer: 1 }, { is_deleted: 1 }])
      expect(settle({ ...ending, ...more }, at('2030-01-01')).row).toMatchObject({
        status: 'Active',
        next_due_at: null,
      })
  })

  test('an event tells what a receiver acts on, and neither tags, codes nor keys', () => {
    const told = { ...ending, name: 'Team', customer_id: 'customer', assigned_plan_name: 'Pro', license_key: 'SECRET' }
    const [happening] = settle(told, at('2027-06-25')).happenings
    expect(happening).toMatchObject({
      entityId: told.id,
      data: {
        entitlementId: told.id,
        ...{ name: 'Team', status: 'Active', subscriptionStatus: 'Active', customerId: 'customer', planName: 'Pro' },
        expirationDateTime: '2027-06-30T00:00:00.000Z',
      },
    })
    expect(JSON.stringify(happening)).not.toContain('SECRET')
  })
})

describe('settling, whatever the entitlement', () => {
  const start = at('2027-01-01')
  const instant = fc.integer({ min: start - 40 * day, max: start + 400 * day })
  const duration = fc.constantFrom('PT0S', 'PT36H', 'P3D', 'P14D', 'P1M', 'P2Y')
  const rows = fc
    .record({
      status: fc.constantFrom('Draft', 'Active', 'Active', 'Active', 'Suspended', 'Cancelled', 'Expired'),
      end: fc.option(instant),
      anchor: fc.option(instant),
      renewal: fc.option(
        fc.record({
          period: fc.constantFrom('Daily', 'Weekly', 'Monthly', 'Quarterly', 'Yearly', 'Lifetime'),
          autoRenew: fc.boolean(),
          expiringNotice: duration,
        }),
      ),
      trial: fc.option(
        fc.record({ enabled: fc.boolean(), duration, startsOn: fc.constantFrom('Creation', 'Activation') }),
      ),
      isTrial: fc.boolean(),
      trialStart: fc.option(instant),
    })
    .map(({ status, end, anchor, renewal, trial, isTrial, trialStart }) =>
      entitlementRow({
        status,
        expiration_date_time: end,
        period_anchor_at: anchor,
        is_entitlement_trial: isTrial ? 1 : 0,
        renewal_policy: renewal && JSON.stringify(renewal),
        trial_policy: trial && JSON.stringify(trial),
        trial_started_at: trialStart,
        trial_ends_at: trialStart && trialStart + 14 * day,
      }),
    )
  const later = fc.integer({ min: 0, max: 400 * day }).map((millis) => start + millis)

  test('settling twice is settling once', () => {
    fc.assert(
      fc.property(rows, later, (row, now) => {
        const once = settle(row, now).row
        expect(settle(once, now)).toEqual({ row: once, happenings: [] })
      }),
      { numRuns: 500 },
    )
  })

  test('a year at once is the year in any number of steps: the same row, the same events', () => {
    const steps = fc.array(later, { maxLength: 30 }).map((instants) => instants.sort((a, b) => a - b))
    fc.assert(
      fc.property(rows, steps, (row, instants) => {
        const first = settle(row, start)
        const end = start + 400 * day
        let stepped = first.row
        const told = []
        for (const now of [...instants, end]) {
          const { row: next, happenings } = settle(stepped, now)
          stepped = next
          told.push(...happenings)
        }
        const atOnce = settle(first.row, end)
        expect(stepped).toEqual(atOnce.row)
        expect(told).toEqual(atOnce.happenings)
      }),
      { numRuns: 500 },
    )
  })

  test('what is due next is what changes next, and nothing before it', () => {
    fc.assert(
      fc.property(rows, later, (row, now) => {
        const { row: before } = settle(row, now)
        const due = before.next_due_at
        if (due === null) return
        expect(due).toBeGreaterThan(now)
        expect(settle(before, due - 1)).toEqual({ row: before, happenings: [] })
        const then = settle(before, due)
        expect(then.happenings.length > 0 || then.row.status !== before.status).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  test('no notice and no renewal is told twice', () => {
    fc.assert(
      fc.property(rows, (row) => {
        const { happenings } = settle(settle(row, start).row, start + 400 * day)
        const told = happenings.map(({ type, data }) =>
          type === 'Entitlement.Renewed' ? `${type} ${data.periodStart}` : type,
        )
        expect(told).toEqual([...new Set(told)])
      }),
      { numRuns: 500 },
    )
  })
})
