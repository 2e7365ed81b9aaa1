import type { WriteContext } from '../../kit/context.ts'
import { invalid } from '../../kit/problem.ts'
import { findRecord } from '../../kit/records/store.ts'
import { editOffer } from '../offers/editing.ts'
import type { Given } from './drafting.ts'
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

/** What a request gives of an offer; throws the validation problem for features beside its products. Without any of both it says what is so. */
export function ofOffer({ features, ...given }: Given): Given {
  if (features !== undefined && !(isEmpty(features) && isEmpty(given.products)))
    throw invalid([{ pointer: '/features', message: "an offer's own values stand with its products" }])
  return given
}

const isEmpty = (list: unknown) => Array.isArray(list) && list.length === 0
