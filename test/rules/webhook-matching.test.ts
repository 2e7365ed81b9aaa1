import { expect, test } from 'vitest'
import { explainPattern } from '../../server/webhooks/subscriptions/event-patterns.ts'
import { isWanted, type SubscriptionFilter } from '../../server/webhooks/subscriptions/matching.ts'

const event = {
  attributes: {
    type: 'MeteredUsage.OverageStatusChanged',
    entitykind: 'monitored-asset',
    subject: 's-1',
    eventversion: 1,
  },
  data: {
    ...{ level: 'Warning', trial: true, amount: 12.5, customerId: null },
    ...{ order: { id: '7', lines: [{ sku: 'A' }] }, subject: 'in data' },
  },
}
const wants = (eventTypes: string[], filter: Partial<SubscriptionFilter> = {}, told: typeof event = event) =>
  isWanted({ eventTypes, filter: { entityKinds: [], severities: [], attributes: {}, ...filter } }, told)

test.each([
  ['*', true],
  ['MeteredUsage.*', true],
  ['MeteredUsage.OverageStatusChanged', true],
  ['MeteredUsage.OverageStatus', false],
  ['Metered.*', false],
  ['CreditBalance.*', false],
  ['MeteredUsage.OverageStatusChanged.*', false],
])('the pattern %s wants an overage: %s', (pattern, isIt) => {
  expect(wants([pattern])).toBe(isIt)
  expect(wants(['User.Erased', pattern])).toBe(isIt)
})

test.each(['*', 'Webhooks.*', 'Webhooks.Registration.*', 'Webhooks.Registration.Challenge'])(
  'a challenge is for the one it is sent to, whatever %s says',
  (pattern) => {
    const challenge = { ...event, attributes: { ...event.attributes, type: 'Webhooks.Registration.Challenge' } }
    expect(wants([pattern], {}, challenge)).toBe(false)
  },
)

test.each<[Partial<SubscriptionFilter>, boolean]>([
  [{ entityKinds: ['entitlement', 'monitored-asset'] }, true],
  [{ entityKinds: ['entitlement'] }, false],
  [{ severities: ['Warning', 'Critical'] }, true],
  [{ severities: ['Critical'] }, false],
  [{ entityKinds: ['monitored-asset'], severities: ['Critical'] }, false],
  [{ attributes: { entitykind: 'monitored-asset', trial: true, amount: 12.5 } }, true],
  [{ attributes: { entitykind: 'monitored-asset', trial: false } }, false],
  [{ attributes: { trial: 'true' } }, false],
  [{ attributes: { amount: '12.5' } }, false],
  [{ attributes: { customerId: null } }, true],
  [{ attributes: { customerId: '' } }, false],
  [{ attributes: { level: null } }, false],
  [{ attributes: { 'order.customerId': null } }, false],
  [{ attributes: { eventversion: 1 } }, true],
  [{ attributes: { 'order.id': '7' } }, true],
  [{ attributes: { 'order.lines.0.sku': 'A' } }, true],
  [{ attributes: { 'data.order.id': '7', 'data.trial': true } }, true],
  [{ attributes: { 'data.order.id': '8' } }, false],
  [{ attributes: { 'data.data.order.id': '7' } }, false],
  [{ attributes: { 'data.entitykind': 'monitored-asset' } }, false],
  [{ attributes: { order: '7' } }, false],
  [{ attributes: { 'order.id.length': 1 } }, false],
  [{ attributes: { 'constructor.name': 'Object' } }, false],
  [{ attributes: { '__proto__.__proto__': null } }, false],
  [{ attributes: { 'customerId.name': null } }, false],
  [{ attributes: { 'meta.trial': true } }, false],
  [{ attributes: { nothing: 'there' } }, false],
  [{ attributes: { subject: 's-1' } }, true],
  [{ attributes: { subject: 'in data' } }, false],
])('narrowed by %j: %s', (filter, isIt) => expect(wants(['*'], filter)).toBe(isIt))

test('data that have a member of their own named data are followed into it first', () => {
  const nested = {
    ...event,
    data: { ...event.data, data: { order: 'inner' }, order: 'outer' } as unknown as typeof event.data,
  }
  expect(wants(['*'], { attributes: { 'data.order': 'inner' } }, nested)).toBe(true)
  expect(wants(['*'], { attributes: { 'data.order': 'outer' } }, nested)).toBe(false)
})

test('an event that has no level has none of the severities', () => {
  const entitlement = { ...event, data: {} as typeof event.data }
  expect(wants(['*'], { severities: ['None', 'Normal', 'Warning', 'Critical', 'OverUsage'] }, entitlement)).toBe(false)
})

test.each(['*', 'Entitlement.Activated', 'Entitlement.*', 'Webhooks.Registration.*', 'User.*'])(
  'the pattern %s names events',
  (pattern) => expect(explainPattern(pattern)).toBeUndefined(),
)

test.each([
  'Ent*',
  'Entitlement.',
  'Entitlement',
  'Entitlement*',
  'entitlement.*',
  'Entitlement.Activate*',
  'Foo.Bar',
  '.*',
  '**',
  '*.*',
  '',
  ' *',
  'Entitlement.Activated.*',
])('the pattern %j names none', (pattern) => expect(explainPattern(pattern)).toContain(JSON.stringify(pattern)))
