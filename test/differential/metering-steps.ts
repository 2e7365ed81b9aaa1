import type { Draw } from './draw.ts'
import type { Known } from './known.ts'
import { asSession } from './runtime-steps.ts'
import { onOne, type StepKind, stepKind } from './steps.ts'
import { amount, featureCode, instant, metricName, now, text } from './values.ts'

type Json = ReturnType<typeof JSON.parse>

/** A metric, mostly one of these products. */
const metricOf = (
  draw: Draw,
  known: Known,
  products: readonly string[],
  isOne: (asset: Json) => boolean = () => true,
): string =>
  draw.maybe(0.9, () =>
    known.value('admin.monitoredAssets', 'metricName', (asset) => products.includes(asset.productId) && isOne(asset)),
  ) ?? metricName(draw)

const metric = (draw: Draw, known: Known, { licensedProducts }: Json) => ({
  metric: metricOf(draw, known, licensedProducts),
})
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
  stepKind(operation, weight, (draw, known) => {
    const entitlement = known.one('admin.entitlements', ({ products }) => products.length > 0)
    const products = entitlement?.products.map(({ id }: Json) => id)
    return (
      entitlement && {
        id: entitlement.id,
        metric: metricOf(draw, known, products, ({ balanceUsage }) => balanceUsage !== null),
        ...more(draw, known),
      }
    )
  })

const movement = (draw: Draw) => ({ amount: amount(draw), reference: draw.maybe(0.3, () => text(draw)) })

/** A hold, by the token of the session that opened it. */
const onHold = (operation: string, weight: number, more: (draw: Draw) => object = () => ({})): StepKind => ({
  operation,
  weight,
  draw(draw, known) {
    const hold = known.one('usage.holds.opened', ({ until }) => until * 1000 > now(known) || draw.chance(0.03))
    return hold && { token: hold.token, input: { holdId: hold.id, ...more(draw) } }
  },
})

const ofEntitlement = { kind: 'admin.entitlements' }

export const meteringSteps: StepKind[] = [
  asSession('usage.tryConsume', 35, (draw, known, session) => ({
    ...metric(draw, known, session),
    amount: amount(draw),
    idempotentKey: key(draw),
  })),
  asSession('usage.tryPreallocate', 3.75, (draw, known, session) => ({
    ...metric(draw, known, session),
    amount: draw.maybe(0.7, () => amount(draw)),
  })),
  asSession('usage.usage', 3.75, metric),
  asSession('usage.consumption', 3.75, metric),
  {
    ...asSession('usage.holds.open', 7.5, (draw, known, session) => ({
      ...metric(draw, known, session),
      amount: amount(draw),
      expiresIn: draw.maybe(0.6, () => draw.oneOf(['PT1S', 'PT10M', 'PT1H', 'P1D', 'PT0S'])),
      idempotentKey: key(draw),
    })),
    learn(known, { holdId }: Json, { sessionId }: Json) {
      const licensed = known.one('licensed', ({ id }) => id === sessionId)
      if (holdId && licensed) known.remember('usage.holds.opened', { ...licensed, id: holdId })
    },
  },
  onHold('usage.holds.settle', 3.75, (draw) => ({ amount: amount(draw) })),
  onHold('usage.holds.release', 1.5),
  asSession('usage.sessions.transactions', 7.5, (draw, known) => ({ records: records(draw, known) })),
  asSession(
    'usage.entitlements.transactions',
    1.25,
    (draw, known, { entitlementId }) => ({ entitlementId, records: records(draw, known) }),
    {
      id: '',
    },
  ),
  onOne('usage.entitlements.transactions', 3.75, (draw, known) => ({ records: records(draw, known) }), {
    ...ofEntitlement,
    id: 'entitlementId',
  }),
  onOne(
    'operational.entitlements.usage',
    2.5,
    (draw) => ({ metric: draw.maybe(0.4, () => metricName(draw)) }),
    ofEntitlement,
  ),
  onBalance('operational.entitlements.balances.deposit', 7.5, movement),
  onBalance('operational.entitlements.balances.deduct', 3.75, movement),
  onBalance('operational.entitlements.balances.ledger', 2.5),
  {
    ...onBalance('operational.entitlements.creditGrants.issue', 3.75, (draw, known) => ({
      amount: amount(draw),
      expiresAt: draw.maybe(0.4, () => instant(draw, known)),
    })),
    learn: (known, grant, { id }) => known.remember('granted', { ...grant, entitlementId: id }),
  },
  onOne('operational.entitlements.creditGrants.list', 1, undefined, ofEntitlement),
  stepKind('operational.entitlements.creditGrants.delete', 0.5, (_, known) => {
    const grant = known.one('granted')
    return grant && { id: grant.entitlementId, grantId: grant.id }
  }),
]
