import { invalid } from '../../kit/problem.ts'
import type { Given } from './drafting.ts'
import { holderFields } from './fields.ts'

const ofEntitlements = [...Object.keys(holderFields), 'features', 'campaignId']

/** What a request gives of an offer; throws the validation problem for what only an entitlement has. */
export function ofOffer(given: Given): Given {
  const errors = ofEntitlements
    .filter((name) => name in given)
    .map((name) => ({ pointer: `/${name}`, message: 'an offer has none: nobody holds it' }))
  if (errors.length > 0) throw invalid(errors)
  return given
}
