import type { WriteContext } from '../../kit/context.ts'
import { invalid } from '../../kit/problem.ts'
import { findRecord } from '../../kit/records/store.ts'
import { editOffer } from '../offers/editing.ts'
import type { Given } from './drafting.ts'
import { holderFields } from './fields.ts'
import { editEntitlement } from './writing.ts'

/** Whether an id is that of an offer. */
export async function isOfferId({ tx, tenant }: WriteContext, id: string): Promise<boolean> {
  return (await findRecord(tx, 'entitlements', tenant.id, id))?.is_offer === 1
}

/** Writes what a request makes of an entitlement, or of an offer. */
export async function editEither(context: WriteContext, id: string, given: Given): Promise<void> {
  if (await isOfferId(context, id)) await editOffer(context, id, ofOffer(given))
  else await editEntitlement(context, id, given)
}

const ofEntitlements = [...Object.keys(holderFields), 'features', 'campaignId']

/** What a request gives of an offer; throws the validation problem for what only an entitlement has. */
export function ofOffer(given: Given): Given {
  const errors = ofEntitlements
    .filter((name) => name in given)
    .map((name) => ({ pointer: `/${name}`, message: 'an offer has none: nobody holds it' }))
  if (errors.length > 0) throw invalid(errors)
  return given
}
