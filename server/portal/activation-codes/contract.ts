import { codeTextName, ownCodeFilterFields } from '../../entitlements/activation-codes/fields.ts'
import { OwnCodeRecord } from '../../entitlements/activation-codes/own-codes.ts'
import { listQuery, pageOf } from '../../kit/collection.ts'
import { contract, provision } from '../../kit/contract.ts'

export const listOwnActivationCodes = contract({
  name: 'consumer.activationCodes.list',
  method: 'GET',
  path: `${provision}/consumer/me/activation-codes`,
  access: 'user',
  summary: 'List the activation codes that were issued to the user',
  description:
    "Those that only the user may activate by; those issued to the user's e-mail address, once it is verified or where the entitlement is assigned to the user; and those of such entitlements that were issued to nobody by name. Revoked and expired ones are among them.",
  query: listQuery,
  answer: pageOf(OwnCodeRecord),
  filterable: [...ownCodeFilterFields.map(({ name }) => name), codeTextName],
  notSortable: [codeTextName],
})
