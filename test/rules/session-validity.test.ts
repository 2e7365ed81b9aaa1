import { expect, test } from 'vitest'
import type { SessionRow } from '../../server/activations/sessions/licensed.ts'
import { type SessionSurroundings, toWire } from '../../server/activations/sessions/wire.ts'

const now = Date.parse('2026-03-10T12:00:00Z')
const open = { is_seated: 1, lease_expires_at: now + 1, grace_expires_at: now + 1, product_ids: '[]' }
const never = { revoked_at: null, released_at: null, not_before: null, not_after: null }
const floating: SessionSurroundings = {
  ...{ activationCode: null, licenseKey: null, isEntitlementGood: true },
  seatPolicy: { licenseModel: 'Floating', inactivityTimeout: 'PT1H' },
}
const told = (row: Partial<SessionRow>, around: Partial<SessionSurroundings> = {}) =>
  toWire(
    { activated_at: now, last_access_at: now, trial_expires_at: null, ...open, ...never, ...row } as SessionRow,
    { ...floating, ...around },
    now,
  )

test.each<[string, boolean, Partial<SessionRow>, Partial<SessionSurroundings>?]>([
  ['whose lease has not expired', true, {}],
  ['whose lease expires now', false, { lease_expires_at: now }],
  ['that is valid from now on', true, { not_before: now }],
  ['that is valid later', false, { not_before: now + 1 }],
  ['that is valid until just after now', true, { not_after: now + 1 }],
  ['that is valid until now', false, { not_after: now }],
  ['that was revoked', false, { revoked_at: now }],
  ['that was released', false, { released_at: now }],
  ['of an entitlement that is not good', false, {}, { isEntitlementGood: false }],
])('a session %s is valid: %s', (_words, isValidSession, row, around) =>
  expect(told(row, around).isValidSession).toBe(isValidSession),
)

test.each<[string, boolean, Partial<SessionRow>, Partial<SessionSurroundings>?]>([
  ['that is seated', true, {}],
  ['whose seat was given back', false, { is_seated: 0 }],
  ['whose seat lapses now', false, { grace_expires_at: now }],
  ['of an entitlement that is gone', false, {}, { seatPolicy: undefined }],
])('a session %s holds a seat: %s', (_words, holdsSeat, row, around) =>
  expect(told(row, around).holdsSeat).toBe(holdsSeat),
)
