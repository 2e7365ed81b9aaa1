import { type Static, type TSchema, Type } from 'typebox'
import { NullableText, Uuid } from '../../../catalog-schema/scalars.ts'
import { Closed } from '../../../catalog-schema/shapes.ts'
import { idParams, listQuery, pageOf } from '../../kit/collection.ts'
import { contract, provision } from '../../kit/contract.ts'
import { Instant } from '../../kit/records/answers.ts'
import { entryFilterFields, entryKinds } from '../../metering/balances/ledger-pages.ts'
import { Amount } from '../../metering/consumption/amount.ts'
import { balanceFields, ConsumptionSnapshot, UsageSnapshot } from '../../metering/consumption/snapshot-shapes.ts'

const name = 'operational.entitlements'
const path = `${provision}/operational/entitlements/{id}`
const balance = `${path}/balances/{metric}`

const params = Closed({
  id: Uuid({ description: 'The id of the entitlement.' }),
  metric: Type.String({ description: 'The metric name of the balance, exactly as the catalog has it.' }),
})

const body = Closed({
  amount: Amount('How many credits: above 0, below 1e18, at most 18 decimals.'),
  reference: Type.Optional(
    NullableText(200, {
      description: 'What the credits are moved for, such as an order number; it is kept in the ledger.',
    }),
  ),
})
export type MovementBody = Static<typeof body>

const entryId: TSchema = {
  type: ['string', 'null'],
  format: 'uuid',
  description: 'Its entry in the ledger.',
}
const Moved = Type.Unsafe<Static<typeof ConsumptionSnapshot> & { entryId: string | null }>({
  type: 'object',
  properties: { ...balanceFields, entryId },
  required: [...Object.keys(balanceFields), 'entryId'],
  additionalProperties: false,
  description: 'How the balance stands afterwards.',
})

const moving = {
  method: 'POST',
  access: 'operational.entitlements:update',
  params,
  body,
  answer: Moved,
} as const

const credits = (description: string) => Type.Unsafe<number>({ type: 'number', description })

const LedgerEntry = Closed(
  {
    id: Uuid(),
    kind: Type.Unsafe<(typeof entryKinds)[number]>({
      type: 'string',
      enum: [...entryKinds],
      description:
        'Why the balance moved: Initial credits; a Deposit, Grant, Deduction or Consumption; an AutoBalance of the schedule, and the Lapse of what may not stay at that time; Waived is a debt from when there was no end to the credits.',
    }),
    amount: credits('What was added, exactly; below 0 what was taken.'),
    balanceAfter: credits('What remained then.'),
    occurredAt: Instant("When it happened on the tenant's clock."),
    reference: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'What whoever moved the credits named; of a Grant the id of the credit grant.',
    }),
    actor: Type.String({ description: 'Who did it, such as `client:ID`; `clock` for what becomes due by itself.' }),
    correlationId: Type.String({ description: 'In which request.' }),
  },
  { description: 'One movement of a balance; it never changes.' },
)

const MeterAnswer = Closed({
  id: Uuid({ description: 'The monitored asset of the entitlement.' }),
  productId: Uuid({ description: 'The product that it came with.' }),
  kind: Type.Unsafe<'Metered' | 'Balance'>({
    type: 'string',
    enum: ['Metered', 'Balance'],
    description: 'Whether usage is counted by tiers, or taken from credits.',
  }),
  usage: UsageSnapshot,
  consumption: ConsumptionSnapshot,
})
export type MeterAnswer = Static<typeof MeterAnswer>

export const balanceContracts = {
  deposit: contract({
    name: `${name}.balances.deposit`,
    path: `${balance}/deposit`,
    summary: 'Add credits to a balance',
    description:
      'The total becomes what remains and the amount, of which nothing is used then; what was unfunded stays so. It is allowed whatever the status of the entitlement.',
    ...moving,
    problems: ['license.record_not_found', 'usage.metric_not_found'],
  }),
  deduct: contract({
    name: `${name}.balances.deduct`,
    path: `${balance}/deduct`,
    summary: 'Take credits from a balance',
    description:
      'They count as used. A balance gives the whole amount or, when it has less that is not held, or a Critical band applies, nothing: it then stays as it is.',
    ...moving,
    problems: [
      'license.record_not_found',
      'usage.metric_not_found',
      'usage.insufficient_credits',
      'usage.balance_blocked',
    ],
  }),
  ledger: contract({
    name: `${name}.balances.ledger`,
    method: 'GET',
    path: `${balance}/ledger`,
    access: 'operational.entitlements:read',
    summary: 'List the movements of a balance',
    description:
      'Every movement since the balance was opened, the newest first unless a sortOrder says otherwise. Their amounts sum to what remains.',
    params,
    query: listQuery,
    answer: pageOf(LedgerEntry),
    filterable: entryFilterFields.map(({ name }) => name),
    problems: ['license.record_not_found', 'usage.metric_not_found'],
  }),
  usage: contract({
    name: `${name}.usage`,
    method: 'GET',
    path: `${path}/usage`,
    access: 'operational.entitlements:read',
    summary: 'Read what an entitlement has used and has left',
    description: 'Each of its monitored assets as it stands now, in the order in which they came to the entitlement.',
    params: idParams,
    query: Closed({
      metric: Type.Optional(Type.String({ description: 'Only those of this metric name, case and all.' })),
    }),
    answer: Closed({ meters: Type.Array(MeterAnswer) }),
    problems: ['license.record_not_found'],
  }),
}
