import { describe, expect, test } from 'vitest'
import { endOf, refusalOf, subscriptionStatusOf } from '../../server/entitlements/life/standing.ts'
import { entitlementRow } from '../support/entitlement-rows.ts'

const now = Date.parse('2027-01-01T00:00:00Z')
const ended = { expiration_date_time: now }
const endingSoon = { expiration_date_time: now + 1 }
const runningTrial = { trialPolicy: { enabled: true }, trial_started_at: 0, trial_ends_at: now + 1 }
const waitingTrial = { trialPolicy: { enabled: true }, trial_started_at: null, trial_ends_at: null }
const autoRenewing = { renewalPolicy: { period: 'Monthly', autoRenew: true } }

describe('whether an entitlement may be used', () => {
  test.each([
    ['a draft', { status: 'Draft' }, 'license.entitlement_not_active'],
    ['a suspended one', { status: 'Suspended' }, 'license.entitlement_not_active'],
    ['a cancelled one, though it is over too', { status: 'Cancelled', ...ended }, 'license.entitlement_not_active'],
    ['an expired one', { status: 'Expired' }, 'license.expired'],
    ['one without dates', {}, undefined],
    ['one that is valid later', { not_valid_before_date_time: now + 1 }, 'license.not_yet_valid'],
    ['one that is valid from now', { not_valid_before_date_time: now }, undefined],
    [
      'one that is valid later than it ends',
      { not_valid_before_date_time: now + 1, ...ended },
      'license.not_yet_valid',
    ],
    ['one that ends a millisecond later', endingSoon, undefined],
    ['one that ends now, before that was written', ended, 'license.expired'],
    ['one that renews itself, before that was written', { ...ended, ...autoRenewing }, undefined],
    [
      'one of a Lifetime, of which there is no next',
      { ...ended, renewalPolicy: { period: 'Lifetime', autoRenew: true } },
      'license.expired',
    ],
    ['a trial that runs', runningTrial, undefined],
    ['a trial that is over now', { ...runningTrial, trial_ends_at: now }, 'license.expired'],
    ['a trial that has not begun', { trialPolicy: { enabled: true } }, undefined],
    ['a trial that is over but paid for', { ...runningTrial, trial_ends_at: now, is_entitlement_trial: 0 }, undefined],
    [
      'a trial whose policy was switched off',
      { ...runningTrial, trial_ends_at: now, trialPolicy: { enabled: false } },
      undefined,
    ],
    ['a trial, which does not renew itself', { ...runningTrial, ...ended, ...autoRenewing }, 'license.expired'],
  ])('%s', (_what, fields, refusal) => {
    expect(refusalOf(entitlementRow({ status: 'Active', ...fields }), now)).toBe(refusal)
  })
})

describe('when an entitlement ends', () => {
  test.each([
    ['never', {}, null],
    ['at its expiry', ended, now],
    ['with its trial', runningTrial, now + 1],
    ['with whichever of the two is sooner', { ...runningTrial, ...ended }, now],
    ['with whichever of the two is sooner, again', { ...runningTrial, expiration_date_time: now + 2 }, now + 1],
    ['never, while it renews itself', { ...ended, ...autoRenewing }, null],
  ])('%s', (_what, fields, end) => {
    expect(endOf(entitlementRow({ status: 'Active', ...fields }))).toBe(end)
  })
})

test('the status of the subscription follows from status and trial', () => {
  const of = (fields: object) => subscriptionStatusOf(entitlementRow(fields))
  expect(
    ['Draft', 'Active', 'Suspended', 'Cancelled', 'Expired'].map((status) => [
      of({ status }),
      of({ status, ...waitingTrial }),
      of({ status, ...runningTrial }),
    ]),
  ).toEqual([
    ['Pending', 'Pending', 'Pending'],
    ['Active', 'Trialing', 'Trialing'],
    ['PastDue', 'PastDue', 'PastDue'],
    ['Cancelled', 'Cancelled', 'Cancelled'],
    ['Expired', 'Expired', 'Expired'],
  ])
})
