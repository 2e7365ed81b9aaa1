import { sameValue } from '../../../catalog-schema/form.ts'
import type { Readable } from '../../database/database.ts'
import type { AnswerOf, Contract } from '../../kit/contract.ts'
import { movingPointers } from '../../kit/moving-pointers.ts'
import { mutation, query } from '../../kit/procedure.ts'
import { withoutNulls } from '../../kit/records/body.ts'
import { type EntitlementRow, getEither } from '../entitlements/loading.ts'
import { editEither } from '../entitlements/offers-among.ts'
import { editOffer } from '../offers/editing.ts'
import { getOffer } from '../offers/store.ts'
import { ownFieldsOf } from '../offers/wire.ts'
import { type PolicyField, policyKinds } from './contract.ts'

interface PolicyKind<G extends Contract, R extends Contract> {
  field: PolicyField
  complete: (stored: object | null) => AnswerOf<G> & AnswerOf<R>
  read: (body: object) => object
}

/** Whose policies they are. */
interface Owner {
  load: (readable: Readable, tenantId: string, id: string) => Promise<EntitlementRow>
  edit: typeof editEither | typeof editOffer
}

const either: Owner = { load: getEither, edit: editEither }
const offer: Owner = { load: getOffer, edit: editOffer }

/** Reading and replacing one policy of its owner. */
const proceduresOf = <const G extends Contract, const R extends Contract>(
  { load, edit }: Owner,
  { field, complete, read: readPolicy }: PolicyKind<G, R>,
  contracts: { get: G; replace: R },
) => ({
  get: query(contracts.get, async ({ read, tenant }, input) =>
    complete(ownFieldsOf(await load(read, tenant.id, (input as { id: string }).id), [])[field]),
  ),
  replace: mutation(contracts.replace, async (context, input) => {
    const { id, ...body } = input as { id: string }
    const read = async () => ownFieldsOf(await load(context.tx, context.tenant.id, id), [])[field]
    const before = await read()
    // What comes back as it was read is no change: defaults that it shows stay defaults.
    const isAsRead = before !== null && sameValue(withoutNulls(body), withoutNulls(complete(before)))
    await movingPointers(
      (pointer) => (pointer.startsWith(`/${field}`) ? pointer.slice(`/${field}`.length) : ''),
      async () => void (await edit(context, id, isAsRead ? {} : { [field]: readPolicy(body) })),
    )
    return complete(await read())
  }),
})

const { activation, license, trial, anonymousTry, renewal, keyIssuance } = policyKinds

/** The policies of an entitlement, or an offer, one by one. */
export const policies = {
  activation: proceduresOf(either, activation, activation.contracts),
  license: proceduresOf(either, license, license.contracts),
  trial: proceduresOf(either, trial, trial.contracts),
  anonymousTry: proceduresOf(either, anonymousTry, anonymousTry.contracts),
  renewal: proceduresOf(either, renewal, renewal.contracts),
  keyIssuance: proceduresOf(either, keyIssuance, keyIssuance.contracts),
}

/** The policies of an offer, at its own path. */
export const offerPolicies = {
  activation: proceduresOf(offer, activation, activation.offerContracts),
  license: proceduresOf(offer, license, license.offerContracts),
  trial: proceduresOf(offer, trial, trial.offerContracts),
  anonymousTry: proceduresOf(offer, anonymousTry, anonymousTry.offerContracts),
  renewal: proceduresOf(offer, renewal, renewal.offerContracts),
  keyIssuance: proceduresOf(offer, keyIssuance, keyIssuance.offerContracts),
}
