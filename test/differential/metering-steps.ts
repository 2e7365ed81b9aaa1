import type { Draw } from './draw.ts'
import type { Known } from './known.ts'
import { asSession } from './runtime-steps.ts'
import { onOne, type StepKind, stepKind } from './steps.ts'
import { amount, balances, duration, featureCode, instant, metricName, now, text } from './values.ts'

type Json = ReturnType<typeof JSON.parse>

const metric = (draw: Draw) => ({ metric: metricName(draw) })
const key = (draw: Draw) => `key-${draw.below(2000)}`

const record = (draw: Draw, known: Known) => ({
  transactionId: draw.oneOf([draw.below(60), draw.below(60), `${draw.below(60)}`]),
  sessionId: draw.maybe(0.1, () => known.id('admin.sessions')),
  apiVersion: draw.maybe(0.3, () => 1),
  creationDateTime: draw.maybe(0.5, () => instant(draw, known)),
  ...draw.oneOf([
    {
      eventName: 'UsageReported',
      eventData: JSON.stringify({
        metricName: metricName(draw),
        amount: amount(draw),
        occurredAt: draw.maybe(0.7, () => recently(draw, known)),
      }),
    },
    {
      eventName: 'FeatureUsed',
      eventData: JSON.stringify({
        featureCode: featureCode(draw),
        occurredAt: draw.maybe(0.5, () => recently(draw, known)),
      }),
    },
    { eventName: 'Other', eventData: draw.oneOf(['{}', 'no JSON', '{"a":"ü"}']) },
  ]),
})

const recently = (draw: Draw, known: Known) =>
  new Date(now(known) - draw.oneOf([0, 1, 3600, 86_400, 172_801, 260_000, -20, -60]) * 1000).toISOString()

const records = (draw: Draw, known: Known) => draw.several(4, () => record(draw, known))

/** An entitlement's balance, by its metric. */
const onBalance = (
  operation: string,
  weight: number,
  more: (draw: Draw, known: Known) => object = () => ({}),
): StepKind =>
  onOne(
    operation,
    weight,
    (draw, known) => ({ metric: draw.chance(0.9) ? draw.oneOf(balances) : 'calls', ...more(draw, known) }),
    {
      kind: 'admin.entitlements',
    },
  )

const movement = (draw: Draw) => ({ amount: amount(draw), reference: draw.maybe(0.3, () => text(draw)) })

/** A hold, by the token of the session that opened it. */
const onHold = (operation: string, weight: number, more: (draw: Draw) => object = () => ({})): StepKind => ({
  operation,
  weight,
  draw(draw, known) {
    const hold = known.one('usage.holds.opened')
    return hold && { token: hold.token, input: { holdId: hold.id, ...more(draw) } }
  },
})

const ofEntitlement = { kind: 'admin.entitlements' }

export const meteringSteps: StepKind[] = [
  asSession('usage.tryConsume', 14, (draw) => ({ ...metric(draw), amount: amount(draw), idempotentKey: key(draw) })),
  asSession('usage.tryPreallocate', 1.5, (draw) => ({ ...metric(draw), amount: draw.maybe(0.7, () => amount(draw)) })),
  asSession('usage.usage', 1.5, metric),
  asSession('usage.consumption', 1.5, metric),
  {
    ...asSession('usage.holds.open', 3, (draw) => ({
      ...metric(draw),
      amount: amount(draw),
      expiresIn: draw.maybe(0.6, () => duration(draw)),
      idempotentKey: key(draw),
    })),
    learn(known, { holdId }: Json, { sessionId }: Json) {
      const licensed = known.one('licensed', ({ id }) => id === sessionId)
      if (holdId && licensed) known.remember('usage.holds.opened', { id: holdId, token: licensed.token })
    },
  },
  onHold('usage.holds.settle', 1.5, (draw) => ({ amount: amount(draw) })),
  onHold('usage.holds.release', 0.6),
  asSession('usage.sessions.transactions', 3, (draw, known) => ({ records: records(draw, known) })),
  asSession(
    'usage.entitlements.transactions',
    0.5,
    (draw, known, { entitlementId }) => ({ entitlementId, records: records(draw, known) }),
    {
      id: '',
    },
  ),
  onOne('usage.entitlements.transactions', 1.5, (draw, known) => ({ records: records(draw, known) }), {
    ...ofEntitlement,
    id: 'entitlementId',
  }),
  onOne(
    'operational.entitlements.usage',
    1,
    (draw) => ({ metric: draw.maybe(0.4, () => metricName(draw)) }),
    ofEntitlement,
  ),
  onBalance('operational.entitlements.balances.deposit', 3, movement),
  onBalance('operational.entitlements.balances.deduct', 1.5, movement),
  onBalance('operational.entitlements.balances.ledger', 1),
  onBalance('operational.entitlements.creditGrants.issue', 1.5, (draw, known) => ({
    amount: amount(draw),
    expiresAt: draw.maybe(0.4, () => instant(draw, known)),
  })),
  onOne('operational.entitlements.creditGrants.list', 0.4, undefined, ofEntitlement),
  stepKind('operational.entitlements.creditGrants.delete', 0.2, (_, known) => {
    const grantId = known.id('operational.entitlements.creditGrants')
    const id = known.id('admin.entitlements')
    return grantId && id && { id, grantId }
  }),
]
