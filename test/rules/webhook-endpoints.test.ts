import { expect, test } from 'vitest'
import { explainCallbackScope } from '../../server/webhooks/subscriptions/callback-scopes.ts'
import { explainEndpointUrl } from '../../server/webhooks/subscriptions/endpoint-url.ts'
import { planSwitch, type Stand } from '../../server/webhooks/subscriptions/switching.ts'

const own = ['https://licet.example.com/t/acme', 'http://licet.example.com:7070/t/acme']
const storePorts = [1433, 1521, 3306, 3389, 5432, 5672, 6379, 9042, 9200, 11211, 27017]
const explain = (url: string, allowsPrivate = false) => explainEndpointUrl(url, { allowsPrivate, ownOrigins: own })

test.each([
  'https://crm.example.com/hooks?tenant=1',
  'https://crm.example.com:443/',
  'https://crm.example.com:8443/',
  'HTTPS://CRM.example.com',
  'https://xn--bcher-kva.example/',
  'https://8.8.8.8/',
  'https://[2606:4700:4700::1111]/',
  'https://licet.example.com:8443/',
  'https://mylocalhost.example/',
])('%s may be an endpoint', (url) => expect(explain(url)).toBeUndefined())

test.each([
  ['not absolute', ['crm.example.com', '/hooks', 'https:crm.example.com', 'https:///crm.example.com', 'https://', '']],
  [
    'of another scheme',
    [
      'http://crm.example.com/',
      'ftp://crm.example.com/',
      'file:///etc/passwd',
      'gopher://x.example/',
      'data:,x',
      'wss://x.example/',
    ],
  ],
  [
    'at the port of a store',
    ['https://8.8.8.8:5432/', ...storePorts.map((port) => `https://crm.example.com:${port}/`)],
  ],
  [
    'with a user',
    [
      'https://user@crm.example.com/',
      'https://user:pass@crm.example.com/',
      'https://@crm.example.com/',
      'https://:@crm.example.com/',
    ],
  ],
  ['with a fragment', ['https://crm.example.com/#x', 'https://crm.example.com/#']],
  [
    'oddly written',
    [
      'https://crm.example.com/a b',
      'https://crm.example.com/\n',
      ' https://crm.example.com/',
      'https:\\\\crm.example.com/',
      'https://127.0.0.1\\@crm.example.com/',
      'https://crm.exam\u00adple.com/',
      'https://①②⑦.⓪.⓪.①/',
      'https://127。0。0。1/',
      'https://bücher.example/',
      'https://crm.example.com/\u0000',
    ],
  ],
  ['too long', [`https://crm.example.com/${'x'.repeat(2000)}`]],
  ['at a port of another service', [22, 25, 80, 0, 1023].map((port) => `https://crm.example.com:${port}/`)],
  ['at no port', ['https://crm.example.com:65536/']],
  [
    'at an address that is not public',
    [
      '127.0.0.1',
      '127.1',
      '0x7f.1',
      '2130706433',
      '017700000001',
      '10.0.0.1',
      '169.254.169.254',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '[fd00::1]',
      '0.0.0.0',
      '127.0.0.1.',
    ].map((host) => `https://${host}/`),
  ],
  [
    'at a private name',
    [
      'localhost',
      'LOCALHOST',
      'localhost.',
      'a.localhost',
      'printer.local',
      'metadata.google.internal',
      'nas.home.arpa',
      'intranet',
      'intranet.',
    ].map((host) => `https://${host}/`),
  ],
  [
    'this service',
    ['https://licet.example.com/', 'https://LICET.example.com.:443/t/acme', 'https://licet.example.com:7070/'],
  ],
])('%s: no endpoint', (_what, urls) => {
  for (const url of urls) expect([url, explain(url)]).toEqual([url, expect.stringMatching(/^must /)])
})

test('where private addresses are allowed plain http, ports and names are free, the way of writing is not', () => {
  for (const url of ['http://localhost:8080/', 'http://127.0.0.1:80/', 'http://receiver:22/', 'https://[::1]/'])
    expect([url, explain(url, true)]).toEqual([url, undefined])
  for (const url of [
    'ftp://localhost/',
    'http:localhost',
    'http://user@localhost/',
    'http://localhost/#x',
    'http://local host/',
  ])
    expect([url, explain(url, true)]).toEqual([url, expect.stringMatching(/^must /)])
})

test.each([
  'admin.entitlements:read',
  'admin.sessions:write',
  'operational.activations:create',
  'webhooks.deliveries:update',
])('a callback token may hold %s', (scope) => expect(explainCallbackScope(scope)).toBeUndefined())

test.each([
  ['admin.entitlements:delete', 'deletes nothing'],
  ['admin.*:read', 'wildcards'],
  ['admin.entitlements:*', 'wildcards'],
  ['admin.nothing:read', 'no scope'],
  ['Admin.entitlements:read', 'no scope'],
  ['*', 'no scope'],
])('a callback token may not hold %s', (scope, why) => expect(explainCallbackScope(scope)).toContain(why))

const pending: Stand = { status: 'PendingVerification', verifiedAt: null }
const active: Stand = { status: 'Active', verifiedAt: 7 }
const disabled: Stand = { status: 'Disabled', verifiedAt: 7 }
const suspended: Stand = { status: 'Suspended', verifiedAt: null }
const refused = { refused: 'catalog.invalid_transition' } as const

test.each<[Stand, Parameters<typeof planSwitch>[1], ReturnType<typeof planSwitch>]>([
  [active, { isMoved: false }, active],
  [active, { isMoved: false, status: 'Disabled' }, disabled],
  [active, { isMoved: false, status: 'Active' }, active],
  [active, { isMoved: true }, pending],
  [active, { isMoved: true, status: 'Active' }, refused],
  [active, { isMoved: true, status: 'Disabled' }, { status: 'Disabled', verifiedAt: null }],
  [disabled, { isMoved: false, status: 'Active' }, active],
  [disabled, { isMoved: true }, pending],
  [pending, { isMoved: false, status: 'Active' }, refused],
  [pending, { isMoved: false, status: 'Disabled' }, { status: 'Disabled', verifiedAt: null }],
  [{ status: 'Disabled', verifiedAt: null }, { isMoved: false, status: 'Active' }, refused],
  [suspended, { isMoved: false, status: 'Active' }, refused],
  [suspended, { isMoved: false }, suspended],
])('from %j by %j to %j', (before, edit, after) => expect(planSwitch(before, edit)).toEqual(after))
