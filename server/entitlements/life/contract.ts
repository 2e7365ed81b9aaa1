import { type Static, Type } from 'typebox'
import { NullableInstant, NullableInt32 } from '../../../catalog-schema/scalars.ts'
import { Closed } from '../../../catalog-schema/shapes.ts'
import { actionContract, idParams } from '../../kit/collection.ts'
import { contract, provision } from '../../kit/contract.ts'
import { EntitlementRecord } from '../entitlements/contract.ts'
import { OfferRecord } from '../offers/contract.ts'

const collection = {
  name: 'admin.entitlements',
  path: 'admin/entitlements',
  scope: 'entitlements',
  record: EntitlementRecord,
} as const

const RenewalBody = Closed({
  until: Type.Optional(NullableInstant({ description: 'The new end, after the present one.' })),
  periods: Type.Optional(
    NullableInt32({
      minimum: 1,
      description:
        'How many periods of its renewalPolicy, or else years, it is renewed by; 1 when neither is given and it has a renewalPolicy or an end. A Lifetime has no end.',
    }),
  ),
})
export type RenewalBody = Static<typeof RenewalBody>

const renewing = {
  method: 'POST',
  summary: 'Renew an entitlement',
  description:
    'Moves its end, from the present end or from now, whichever is later. An Expired entitlement is Active again; a trial becomes a paid licence.',
  params: idParams,
  body: RenewalBody,
  answer: EntitlementRecord,
  problems: ['license.record_not_found', 'request.precondition_failed', 'catalog.invalid_transition'],
} as const

const restartingTrial = {
  method: 'PUT',
  summary: 'Restart the trial of an entitlement',
  description:
    'A whole trial begins now, or when the entitlement becomes valid; an entitlement whose trial was over is Active again.',
  params: idParams,
  answer: EntitlementRecord,
  problems: ['license.record_not_found', 'request.precondition_failed', 'catalog.invalid_transition'],
} as const

const toggling = {
  method: 'POST',
  access: 'admin.entitlements:update',
  params: idParams,
  problems: ['license.record_not_found', 'request.precondition_failed'],
} as const

const enabling = {
  ...toggling,
  summary: 'Enable new activations',
  description: 'Devices that hold no seat may be activated again; they may try an offer again.',
} as const

const disabling = {
  ...toggling,
  summary: 'Disable new activations',
  description: 'Devices that hold no seat are refused (2101), as by an offer that they try; those that hold one go on.',
} as const

const offers = {
  name: 'admin.offers',
  path: 'admin/entitlements/offers',
  scope: 'entitlements',
  record: OfferRecord,
} as const

/** The steps that an offer takes too; nobody is told of them. */
export const offerLifeContracts = {
  activate: actionContract(offers, 'activate', 'Activate a draft offer', ['catalog.invalid_transition']),
  suspend: actionContract(offers, 'suspend', 'Suspend an offer', ['catalog.invalid_transition']),
  resume: actionContract(offers, 'resume', 'Resume a suspended offer', ['catalog.invalid_transition']),
  cancel: actionContract(offers, 'cancel', 'Cancel an offer for good', ['catalog.invalid_transition']),
  enableActivations: contract({
    name: 'admin.offers.enableActivations',
    path: `${provision}/admin/entitlements/offers/{id}/enable-activations`,
    ...enabling,
    answer: OfferRecord,
  }),
  disableActivations: contract({
    name: 'admin.offers.disableActivations',
    path: `${provision}/admin/entitlements/offers/{id}/disable-activations`,
    ...disabling,
    answer: OfferRecord,
  }),
}

export const lifeContracts = {
  activate: actionContract(collection, 'activate', 'Activate a draft entitlement', ['catalog.invalid_transition']),
  suspend: actionContract(collection, 'suspend', 'Suspend an entitlement', ['catalog.invalid_transition']),
  resume: actionContract(collection, 'resume', 'Resume a suspended entitlement', ['catalog.invalid_transition']),
  cancel: actionContract(collection, 'cancel', 'Cancel an entitlement for good', ['catalog.invalid_transition']),
  enableActivations: contract({
    name: 'admin.entitlements.enableActivations',
    path: `${provision}/admin/entitlements/{id}/enable-activations`,
    ...enabling,
    answer: EntitlementRecord,
  }),
  disableActivations: contract({
    name: 'admin.entitlements.disableActivations',
    path: `${provision}/admin/entitlements/{id}/disable-activations`,
    ...disabling,
    answer: EntitlementRecord,
  }),
  renew: contract({
    name: 'admin.entitlements.renew',
    path: `${provision}/admin/entitlements/{id}/renew`,
    access: 'admin.entitlements:update',
    ...renewing,
  }),
  restartTrial: contract({
    name: 'admin.entitlements.restartTrial',
    path: `${provision}/admin/entitlements/{id}/policies/trial/restart-trial`,
    access: 'admin.entitlements:update',
    ...restartingTrial,
  }),
}

export const operationalLifeContracts = {
  renew: contract({
    name: 'operational.entitlements.renew',
    path: `${provision}/operational/entitlements/{id}/renew`,
    access: 'operational.entitlements:update',
    ...renewing,
  }),
  restartTrial: contract({
    name: 'operational.entitlements.restartTrial',
    path: `${provision}/operational/entitlements/{id}/policies/trial/restart-trial`,
    access: 'operational.entitlements:update',
    ...restartingTrial,
  }),
}
