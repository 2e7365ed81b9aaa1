import { describe, expect, test } from 'vitest'
import { type ActivationFacts, refusalOfActivation } from '../../server/activations/sessions/precedence.ts'

const now = Date.parse('2026-05-01T12:00:00Z')

/** A device that may have a seat. */
const good: ActivationFacts = {
  now,
  standing: undefined,
  isClosed: false,
  codeExpiresAt: null,
  trialExpiresAt: null,
  user: null,
  requiredLevel: 'Default',
  requiresVerifiedUser: false,
  requiredUserId: null,
  isMember: true,
  productCode: null,
  requiresProductCode: false,
  productCodes: ['CAD'],
  applicationScope: null,
  allowedScopes: [],
  ip: '192.0.2.7',
  allowedNetworks: [],
  fingerprint: 'fingerprint',
  isBlocked: false,
  requiresNamedDevice: false,
  namedDevices: [],
  shortestFingerprint: 0,
}
const user = { id: 'ada', level: 'SignedIn' } as const

const codeNameOf = (facts: Partial<ActivationFacts>) => refusalOfActivation({ ...good, ...facts })?.codeName

test('a device that nothing speaks against is refused nothing', () => {
  expect(codeNameOf({})).toBeUndefined()
})

/** Each refusal with facts that bring it about, in the order of the README; no two look at the same fact. */
const inOrder: [string, Partial<ActivationFacts>][] = [
  ['license.entitlement_not_active', { standing: 'license.entitlement_not_active' }],
  ['license.entitlement_not_active', { isClosed: true }],
  ['license.expired', { trialExpiresAt: now }],
  ['license.expired', { codeExpiresAt: now }],
  ['license.authentication_required', { requiredLevel: 'SignedIn' }],
  ['license.product_code_required', { requiresProductCode: true }],
  ['license.scope_not_allowed', { applicationScope: 'admin', allowedScopes: ['editor'] }],
  ['license.network_not_allowed', { allowedNetworks: ['10.0.0.0/8'] }],
  ['license.device_not_allowed', { isBlocked: true }],
]

describe('of two reasons the earlier one is told', () => {
  const pairs = inOrder.flatMap((first, at) => inOrder.slice(at + 1).map((second) => [first, second] as const))
  test.each(pairs.map(([[name, facts], [other, more]]) => [name, other, { ...more, ...facts }] as const))(
    '%s before %s',
    (name, _other, facts) => expect(codeNameOf(facts)).toBe(name),
  )
})

const standings = ['license.entitlement_not_active', 'license.not_yet_valid', 'license.expired'] as const
test.each(standings)('%s is told as the entitlement has it, before all else', (standing) => {
  expect(codeNameOf({ standing, requiredLevel: 'MultiFactor', isBlocked: true })).toBe(standing)
})

test.each(standings)('that new devices are kept out is 2101 too, whatever else is said of it: %s', (standing) => {
  expect(codeNameOf({ standing, isClosed: true })).toBe('license.entitlement_not_active')
})

test('who must sign in, and have a verified address, is told to sign in at that level', () => {
  const facts = { ...good, requiresVerifiedUser: true, requiredLevel: 'SignedIn' } as const
  expect(refusalOfActivation(facts)?.detail).toContain('at level EmailVerified')
})

test.each([
  ['a code is good until the instant it expires', { codeExpiresAt: now + 1 }, undefined],
  ['and not at it', { codeExpiresAt: now }, 'license.expired'],
  ['a trial is good until the instant it ends', { trialExpiresAt: now + 1 }, undefined],
  ['a user who signed in is enough', { requiredLevel: 'SignedIn', user }, undefined],
  ['a better sign-in will do', { requiredLevel: 'SignedIn', user: { id: 'ada', level: 'MultiFactor' } }, undefined],
  ['a lesser will not', { requiredLevel: 'EmailVerified', user }, 'license.authentication_required'],
  ['a verified address is asked of nobody where no user is', { requiresVerifiedUser: true }, undefined],
  [
    'and of the user who must sign in',
    { requiresVerifiedUser: true, requiredLevel: 'SignedIn' },
    'license.authentication_required',
  ],
  ['the address must be verified', { requiresVerifiedUser: true, user }, 'license.authentication_required'],
  ['and is, at that level', { requiresVerifiedUser: true, user: { id: 'ada', level: 'EmailVerified' } }, undefined],
  ['nobody is no particular user', { requiredUserId: 'ada' }, 'license.authentication_required'],
  ['another is not that user', { requiredUserId: 'eve', user }, 'license.authentication_required'],
  ['the user is', { requiredUserId: 'ada', user }, undefined],
  ['a group asks for a member', { isMember: false, user }, 'license.authentication_required'],
  ['a product code is one of the entitlement', { requiresProductCode: true, productCode: 'CAD' }, undefined],
  ['another is refused', { productCode: 'SIM' }, 'license.product_code_required'],
  ['letter case counts in it', { productCode: 'cad' }, 'license.product_code_required'],
  ['any scope will do where none is listed', { applicationScope: 'x' }, undefined],
  ['a listed scope will', { applicationScope: 'editor', allowedScopes: ['viewer', 'editor'] }, undefined],
  ['no scope is the default', { allowedScopes: ['viewer'] }, undefined],
  ['the first address of a network is in it', { ip: '10.0.0.0', allowedNetworks: ['10.0.0.0/8'] }, undefined],
  ['and the last', { ip: '10.255.255.255', allowedNetworks: ['10.0.0.0/8'] }, undefined],
  ['not the one before', { ip: '9.255.255.255', allowedNetworks: ['10.0.0.0/8'] }, 'license.network_not_allowed'],
  ['nor the one after', { ip: '11.0.0.0', allowedNetworks: ['10.0.0.0/8'] }, 'license.network_not_allowed'],
  ['one of several networks', { ip: '192.0.2.9', allowedNetworks: ['10.0.0.0/8', '192.0.2.0/24'] }, undefined],
  ['a network by an address within it', { ip: '192.0.2.9', allowedNetworks: ['192.0.2.200/24'] }, undefined],
  ['an address alone', { ip: '192.0.2.9', allowedNetworks: ['192.0.2.9'] }, undefined],
  ['and no other', { ip: '192.0.2.8', allowedNetworks: ['192.0.2.9'] }, 'license.network_not_allowed'],
  ['everywhere', { ip: '203.0.113.1', allowedNetworks: ['0.0.0.0/0'] }, undefined],
  ['IPv4 as IPv6 has it is IPv4', { ip: '::ffff:10.1.2.3', allowedNetworks: ['10.0.0.0/8'] }, undefined],
  ['a network of IPv4 as IPv6 has it', { ip: '127.0.0.1', allowedNetworks: ['::ffff:127.0.0.0/104'] }, undefined],
  ['both as IPv6 has it', { ip: '::ffff:127.0.0.1', allowedNetworks: ['::ffff:7f00:1'] }, undefined],
  ['all of IPv4', { ip: '203.0.113.1', allowedNetworks: ['::ffff:0:0/96'] }, undefined],
  [
    'nothing outside such a network',
    { ip: '128.0.0.1', allowedNetworks: ['::ffff:127.0.0.0/104'] },
    'license.network_not_allowed',
  ],
  ['IPv6', { ip: '2001:db8::1', allowedNetworks: ['2001:db8::/32'] }, undefined],
  ['another IPv6', { ip: '2001:db9::1', allowedNetworks: ['2001:db8::/32'] }, 'license.network_not_allowed'],
  ['IPv4 is in no network of IPv6', { ip: '10.0.0.1', allowedNetworks: ['::/0'] }, 'license.network_not_allowed'],
  [
    'an address that is none is in no network',
    { ip: '', allowedNetworks: ['0.0.0.0/0'] },
    'license.network_not_allowed',
  ],
  ['a fingerprint just long enough', { shortestFingerprint: 11 }, undefined],
  ['one too short', { shortestFingerprint: 12 }, 'license.device_not_allowed'],
  ['length is in characters', { fingerprint: '🦊🦊', shortestFingerprint: 3 }, 'license.device_not_allowed'],
  ['a device must be named where only named ones may', { requiresNamedDevice: true }, 'license.device_not_allowed'],
  ['a named one may', { requiresNamedDevice: true, namedDevices: ['x', 'fingerprint'] }, undefined],
  ['a code that names devices is for these alone', { namedDevices: ['x'] }, 'license.device_not_allowed'],
] as [string, Partial<ActivationFacts>, string | undefined][])('%s', (_words, facts, codeName) => {
  expect(codeNameOf(facts)).toBe(codeName)
})

const byName = { requiredUserId: 'eve', requiredLevel: 'MultiFactor' } as const
test.each<[string, Partial<ActivationFacts>, RegExp]>([
  [
    'that nobody has signed in',
    { requiredLevel: 'SignedIn' },
    /level SignedIn: activate online with the token.*useInteractiveUser true/,
  ],
  ['at which level', { requiredLevel: 'MultiFactor', user }, /signed in at level SignedIn; at least MultiFactor/],
  ['that it is another user', { ...byName, user }, /not the one that this activation code is for/],
  ['that it is no member', { isMember: false, requiredLevel: 'MultiFactor', user }, /not a member.*add them/],
  ['which field has the product', { requiresProductCode: true }, /sends in productCode/],
  ['so, too, where it is another', { productCode: 'SIM' }, /sends in productCode/],
  ['which scopes there are', { applicationScope: 'x', allowedScopes: ['viewer', 'a, b'] }, /are "viewer", "a, b"\.$/],
  ['where a device is named', { requiresNamedDevice: true }, /add its fingerprint to the preAuthorizedDevices/],
])('a refusal says %s', (_words, facts, detail) => {
  expect(refusalOfActivation({ ...good, ...facts })?.detail).toMatch(detail)
})

test.each([
  { productCode: 'SIM', productCodes: ['SECRET'] },
  { requiresNamedDevice: true, namedDevices: ['SECRET'] },
  { requiredUserId: 'SECRET', user },
])('no refusal tells what the caller does not know', (facts) => {
  expect(refusalOfActivation({ ...good, ...facts })?.detail).not.toContain('SECRET')
})
