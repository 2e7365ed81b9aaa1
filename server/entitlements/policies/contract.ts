import type { TProperties } from 'typebox'
import { completeValue, formOf } from '../../../catalog-schema/form.ts'
import {
  activationPolicyFields,
  anonymousTryPolicyFields,
  keyIssuancePolicyFields,
  licensePolicyFields,
  type policyFields,
  renewalPolicyFields,
  trialPolicyFields,
} from '../../../catalog-schema/policies.ts'
import { Closed, type FullOf } from '../../../catalog-schema/shapes.ts'
import { idParams } from '../../kit/collection.ts'
import { contract, provision } from '../../kit/contract.ts'
import { bodyOf, readBody } from '../../kit/records/body.ts'
import { withLease } from './effective.ts'

export type PolicyField = keyof typeof policyFields

interface PolicyWords<F extends TProperties> {
  path?: string
  words: string
  fields: F
  none?: object
  shown?: (policy: FullOf<F>) => FullOf<F>
}

/**
 * A policy as it is read and replaced by itself; `none` is what holds where an entitlement has no such policy, beside the defaults;
 * `shown` fills in defaults that depend on what the policy says.
 */
function policy<const Name extends string, F extends TProperties>(
  name: Name,
  { path = name as string, words, fields, none = {}, shown = (policy) => policy }: PolicyWords<F>,
) {
  type Policy = FullOf<F>
  const form = formOf(Closed(fields))
  const contractsOf = <const Of extends string, const Where extends string>(of: Of, where: Where) => {
    const whole = {
      path: `${provision}/${where}/{id}/policies/${path}`,
      params: idParams,
      answer: Closed(fields, { title: `${name[0]!.toUpperCase()}${name.slice(1)}Policy` }),
    }
    return {
      get: contract({
        name: `${of}.policies.${name}.get`,
        method: 'GET',
        access: 'admin.entitlements:read',
        summary: `Read the ${words}`,
        description: 'Of an entitlement, or an offer, without one of its own, what holds for it all the same.',
        ...whole,
        problems: ['license.record_not_found'],
      }),
      replace: contract({
        name: `${of}.policies.${name}.replace`,
        method: 'PUT',
        access: 'admin.entitlements:update',
        summary: `Write the ${words} anew`,
        description: 'Replaces it whole: what is absent or null has its default.',
        ...whole,
        body: bodyOf(fields),
        problems: ['license.record_not_found', 'request.precondition_failed'],
      }),
    }
  }
  return {
    field: `${name}Policy` as PolicyField,
    complete: (stored: object | null) => shown(completeValue(form, stored ?? none) as Policy),
    read: (body: object) => completeValue(form, readBody(fields, body)) as Policy,
    contracts: contractsOf('admin.entitlements', 'admin/entitlements'),
    offerContracts: contractsOf('admin.offers', 'admin/entitlements/offers'),
  }
}

export const policyKinds = {
  activation: policy('activation', { words: 'activation policy', fields: activationPolicyFields }),
  license: policy('license', { words: 'license policy', fields: licensePolicyFields, shown: withLease }),
  trial: policy('trial', { words: 'trial policy', fields: trialPolicyFields, none: { enabled: false } }),
  anonymousTry: policy('anonymousTry', {
    path: 'anonymous-try',
    words: 'anonymous try policy',
    fields: anonymousTryPolicyFields,
    none: { enabled: false },
  }),
  renewal: policy('renewal', { words: 'renewal policy', fields: renewalPolicyFields }),
  keyIssuance: policy('keyIssuance', {
    path: 'key-issuance',
    words: 'key issuance policy',
    fields: keyIssuancePolicyFields,
  }),
}
