import { Type } from 'typebox'
import { Text, Uuid } from '../../../catalog-schema/scalars.ts'
import { Closed } from '../../../catalog-schema/shapes.ts'
import { OfferRecord } from '../offers/contract.ts'
import { holderFields, standingFields } from './fields.ts'

const addOn = Closed({ addOnId: Uuid(), code: Text(200), name: Text(300) })

/** An entitlement as it is answered; an offer among them has no holder. */
export const EntitlementRecord = Closed(
  {
    ...OfferRecord.properties,
    ...holderFields,
    ...standingFields,
    addOns: Type.Array(addOn, { description: 'The add-ons that were applied to it, in their order.' }),
  },
  { description: 'What a customer may use, or (isOffer) what such is cloned from.' },
)
