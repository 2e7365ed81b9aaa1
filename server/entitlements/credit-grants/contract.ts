import { type Static, Type } from 'typebox'
import { NullableInstant, OneOf, Text, Uuid } from '../../../catalog-schema/scalars.ts'
import { Closed } from '../../../catalog-schema/shapes.ts'
import { idParams, listQuery, pageOf } from '../../kit/collection.ts'
import { contract, provision } from '../../kit/contract.ts'
import { Instant, NullInstant } from '../../kit/records/answers.ts'
import { Amount } from '../../metering/consumption/amount.ts'
import { grantStatuses } from './status.ts'
import { grantFilterFields } from './store.ts'

const fields = {
  id: Uuid(),
  metric: Type.String({ description: 'The balance of the entitlement that the credits go to.' }),
  amount: Type.Unsafe<number>({ type: 'number', description: 'How many credits it gives.' }),
  expiresAt: NullInstant('From when on it cannot be redeemed any more; null without an end.'),
  createdAt: Instant('When it was made.'),
  status: OneOf(grantStatuses, {
    description: 'Open until a user redeems it, or until expiresAt; then Redeemed, or Expired.',
  }),
  redeemedAt: NullInstant('When it was redeemed.'),
  redeemedBy: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'uuid',
    description: 'The user who redeemed it.',
  }),
}

/** A grant as it is listed: without its code, which nobody is shown twice. */
const GrantRecord = Closed(fields, { description: 'Credits that whoever shows its code may add to a balance, once.' })
export type GrantRecord = Static<typeof GrantRecord>

const name = 'operational.entitlements.creditGrants'
const path = `${provision}/operational/entitlements/{id}/credit-grants`
const one = `${path}/{grantId}`
const grantParams = Closed({ ...idParams.properties, grantId: Uuid({ description: 'The id of the credit grant.' }) })

const body = Closed({
  metric: Text(300, { min: 1, description: 'The balance of the entitlement, by its exact metric name.' }),
  amount: Amount('How many credits: above 0, below 1e18, at most 18 decimals.'),
  expiresAt: Type.Optional(
    NullableInstant({
      description: 'From when on it cannot be redeemed any more, later than now; null without an end.',
    }),
  ),
})
export type GrantBody = Static<typeof body>

export const grantContracts = {
  issue: contract({
    name: `${name}.issue`,
    method: 'POST',
    path,
    access: 'operational.entitlements:create',
    summary: 'Make a credit grant',
    description:
      'The answer has its code, this once. A user to whom the entitlement is assigned redeems it, signed in, and the credits are added to the balance.',
    params: idParams,
    body,
    answer: Closed({
      ...fields,
      code: Type.String({
        description:
          'What redeems it. Letter case, blanks and hyphens do not matter, nor O or 0, nor I, L or 1. It is shown this once.',
      }),
    }),
    problems: ['license.record_not_found', 'usage.metric_not_found'],
  }),
  list: contract({
    name: `${name}.list`,
    method: 'GET',
    path,
    access: 'operational.entitlements:read',
    summary: 'List the credit grants of an entitlement',
    description: 'Without their codes.',
    params: idParams,
    query: listQuery,
    answer: pageOf(GrantRecord),
    filterable: grantFilterFields.map(({ name }) => name),
    problems: ['license.record_not_found'],
  }),
  /** No route: it is how the audit log reads a grant, which it knows by the kind that users redeem. */
  get: contract({
    name: `${name}.get`,
    method: 'GET',
    path: one,
    access: 'operational.entitlements:read',
    summary: 'Read a credit grant',
    params: grantParams,
    answer: GrantRecord,
    recordKind: 'creditGrants',
    problems: ['license.record_not_found'],
  }),
  delete: contract({
    name: `${name}.delete`,
    method: 'DELETE',
    path: one,
    access: 'operational.entitlements:delete',
    summary: 'Take a credit grant back',
    description:
      'Its code redeems nothing any more. One that was redeemed stays, as the ledger refers to it. If-Match names the revision of the entitlement.',
    params: grantParams,
    problems: ['license.record_not_found', 'request.precondition_failed', 'catalog.in_use'],
  }),
}
