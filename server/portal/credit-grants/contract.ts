import { Type } from 'typebox'
import { Text, Uuid } from '../../../catalog-schema/scalars.ts'
import { Closed } from '../../../catalog-schema/shapes.ts'
import { contract, provision } from '../../kit/contract.ts'
import { Instant } from '../../kit/records/answers.ts'
import { ConsumptionSnapshot } from '../../metering/consumption/snapshot-shapes.ts'

export const redeemCreditGrant = contract({
  name: 'consumer.creditGrants.redeem',
  method: 'POST',
  path: `${provision}/consumer/me/credit-grants`,
  access: 'user',
  summary: 'Redeem a credit grant',
  description:
    'Adds its credits to the balance that it is for, once: of two who redeem it at the same time the second is refused. The user must be assigned to the entitlement; to anybody else a grant is answered as one that does not exist. A user who shows more than 60 wrong codes in a minute, counted by each server process, is refused for the rest of it.',
  body: Closed({
    code: Text(200, {
      min: 1,
      description: 'The code. Letter case, blanks and hyphens do not matter, nor O or 0, nor I, L or 1.',
    }),
  }),
  answer: Closed({
    grantId: Uuid({ description: "The grant, which the balance's ledger names as its reference." }),
    entitlementId: Uuid(),
    metric: Type.String({ description: 'The balance.' }),
    amount: Type.Unsafe<number>({ type: 'number', description: 'How many credits were added.' }),
    redeemedAt: Instant('When it was redeemed.'),
    balance: ConsumptionSnapshot,
  }),
  problems: [
    'license.record_not_found',
    'usage.grant_not_open',
    'usage.metric_not_found',
    'license.entitlement_not_active',
    'license.not_yet_valid',
    'license.expired',
    'request.rate_limited',
  ],
})
