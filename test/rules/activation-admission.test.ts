import { expect, test } from 'vitest'
import { isAdmitted, judgedColumns, type ShownCode } from '../../server/activations/admission/admitting.ts'
import type { EntitlementRow } from '../../server/entitlements/entitlements/loading.ts'
import { refusalOf } from '../../server/entitlements/life/standing.ts'
import { activationPolicyOf, licensePolicyOf } from '../../server/entitlements/policies/effective.ts'

const now = Date.parse('2026-06-01T00:00:00Z')
const good: ShownCode = {
  standing: undefined,
  isClosed: false,
  expiresAt: null,
  isRevoked: false,
  requiredLevel: 'Default',
  requiresVerifiedUser: false,
  requiredUserId: null,
  requiresMember: false,
  seats: [
    { taken: 4, limit: 5 },
    { taken: 0, limit: null },
  ],
}

const cases: [string, Partial<ShownCode>, boolean][] = [
  ['a good code with a seat left', {}, true],
  ['no limit at all', { seats: [{ taken: 9, limit: null }] }, true],
  ['the last instant of the code', { expiresAt: now + 1 }, true],
  ['a code past its time', { expiresAt: now }, false],
  ['a revoked code', { isRevoked: true }, false],
  ['an entitlement that is not active', { standing: 'license.entitlement_not_active' }, false],
  ['an entitlement that takes no new devices', { isClosed: true }, false],
  ['an entitlement that is not valid yet', { standing: 'license.not_yet_valid' }, false],
  ['an entitlement that is over', { standing: 'license.expired' }, false],
  ['a level that asks for a sign-in', { requiredLevel: 'SignedIn' }, false],
  ['a level that asks for a second factor', { requiredLevel: 'MultiFactor' }, false],
  ['a policy that asks for a confirmed address of who has signed in', { requiresVerifiedUser: true }, true],
  ['a level that asks for a confirmed address', { requiredLevel: 'EmailVerified' }, false],
  ['a code for one user', { requiredUserId: 'u' }, false],
  ['a code for the members of a group', { requiresMember: true }, false],
  ['the last seat of the entitlement taken', { seats: [{ taken: 5, limit: 5 }] }, false],
  ['more seats taken than there are by now', { seats: [{ taken: 6, limit: 5 }] }, false],
  [
    "the last seat of the code taken, the entitlement's free",
    {
      seats: [
        { taken: 1, limit: 5 },
        { taken: 1, limit: 1 },
      ],
    },
    false,
  ],
  ['no seat there ever was', { seats: [{ taken: 0, limit: 0 }] }, false],
]

test.each(cases)('admission with %s', (_words, difference, admitted) => {
  expect(isAdmitted({ ...good, ...difference }, now)).toBe(admitted)
})

test.each([
  { status: 'Draft' },
  { status: 'Active', expiration_date_time: now },
  { status: 'Active', expiration_date_time: now, renewal_policy: '{"period":"Yearly","autoRenew":true}' },
  { status: 'Active', is_entitlement_trial: 1, trial_policy: '{"duration":"P1D"}', trial_ends_at: now },
  { status: 'Active', activation_policy: '{}', license_policy: '{"licenseModel":"Floating"}' },
])('of an entitlement such as %j no other column is looked at than those that are read', (columns) => {
  const none = Object.fromEntries(judgedColumns.map((column) => [column, null]))
  const looked = new Set<string | symbol>()
  const row = new Proxy(Object.assign(none, columns) as Partial<EntitlementRow> as EntitlementRow, {
    get: (target, column) => {
      looked.add(column)
      return Reflect.get(target, column)
    },
  })
  refusalOf(row, now)
  activationPolicyOf(row)
  licensePolicyOf(row)
  expect([...looked].filter((column) => !(judgedColumns as readonly unknown[]).includes(column))).toEqual([])
})
