import { Type } from 'typebox'
import { NullableText, NullableUuid } from '../../../catalog-schema/scalars.ts'
import { Closed } from '../../../catalog-schema/shapes.ts'
import { contract, provision, type Scope } from '../../kit/contract.ts'
import { bodyOf, type Given, withoutDefaults } from '../../kit/records/body.ts'
import { CodeRecord } from '../activation-codes/contract.ts'
import { WorkflowParameters } from '../activation-codes/parameters.ts'
import { EntitlementRecord, entitlementBodyFields } from '../entitlements/contract.ts'

const offerFields = {
  entitlementOfferId: NullableUuid({ description: 'The offer to clone.' }),
  fromEntitlementOfferName: NullableText(300, {
    description:
      'The name of the offer to clone, where no id is given. Of several versions the newest Active one is cloned or, when none is Active, the newest Draft; one that has ended is none of them.',
  }),
  withEntitlementOfferVersion: NullableText(200, { description: 'Only the offer of that version; null is any.' }),
  includeTrial: Type.Unsafe<boolean>({
    type: 'boolean',
    description: "False leaves the offer's trial policy out: the result is a licence and no trial.",
  }),
}

/** What to clone, and what of it is to be otherwise. */
export interface Cloning extends Given<typeof offerFields> {
  entitlementParameters?: Given<typeof entitlementBodyFields> | null
  licenseActivationWorkflowParameters?: WorkflowParameters | null
}

const offerBody = bodyOf(offerFields) as unknown as { properties: object }
const orNull = (schema: object, description: string) => ({ ...schema, type: ['object', 'null'], description })

const CloningBody = Type.Unsafe<Cloning>({
  ...offerBody,
  properties: {
    ...offerBody.properties,
    entitlementParameters: orNull(
      withoutDefaults(bodyOf(entitlementBodyFields)),
      'Fields of the new entitlement that are to be other than those of the offer. Its features are changed, its products and tags replaced.',
    ),
    licenseActivationWorkflowParameters: orNull(
      WorkflowParameters,
      'Issues an activation code of the new entitlement in the same call; null or absent issues none.',
    ),
  },
})

const orNone = <T>(schema: object, description: string) =>
  Type.Unsafe<T | null>({ anyOf: [schema, { type: 'null' }], description })

const Cloned = Closed({
  entitlement: EntitlementRecord,
  activationWorkflow: orNone<CodeRecord>(CodeRecord, 'The code that was issued, as its own endpoints answer it.'),
  activationCode: orNone<string>({ type: 'string' }, 'The text of that code, to be handed out.'),
})

const fromOffer = <const Name extends string>(name: Name, path: string, access: Scope) =>
  contract({
    name,
    method: 'POST',
    path: `${provision}/${path}`,
    access,
    summary: 'Make an entitlement of an offer',
    description:
      "The clone has the offer's products, features, plan, policies and tags, and monitored assets with fresh balances; what becomes of the offer later does not change it. It is a Draft unless entitlementParameters say Active. An offer that is Suspended, Cancelled or Expired, or has ended, is not cloned.",
    body: CloningBody,
    answer: Cloned,
    recordKind: 'entitlements',
    problems: ['license.record_not_found', 'catalog.invalid_transition', 'catalog.duplicate_key'],
  })

export const fromOfferContract = fromOffer(
  'admin.offers.fromOffer',
  'admin/entitlements/offers/from-offer',
  'admin.entitlements:create',
)
export const operationalFromOfferContract = fromOffer(
  'operational.entitlements.fromOffer',
  'operational/entitlements/from-offer',
  'operational.entitlements:create',
)
