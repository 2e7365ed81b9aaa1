import type { AnswerOf, Contract } from '../../kit/contract.ts'
import { movingPointers } from '../../kit/moving-pointers.ts'
import { mutation, query } from '../../kit/procedure.ts'
import { editEither } from '../entitlements/offers-among.ts'
import { answerEntitlement } from '../entitlements/wire.ts'
import { type PolicyField, policyKinds } from './contract.ts'

interface PolicyKind<G extends Contract, R extends Contract> {
  field: PolicyField
  complete: (stored: object | null) => AnswerOf<G> & AnswerOf<R>
  read: (body: object) => object
  contracts: { get: G; replace: R }
}

/** Reading and replacing one policy of an entitlement, or an offer. */
const proceduresOf = <const G extends Contract, const R extends Contract>({
  field,
  complete,
  read: readPolicy,
  contracts,
}: PolicyKind<G, R>) => ({
  get: query(contracts.get, async ({ read, tenant }, input) =>
    complete((await answerEntitlement(read, tenant.id, (input as { id: string }).id))[field]),
  ),
  replace: mutation(contracts.replace, async (context, input) => {
    const { id, ...body } = input as { id: string }
    await movingPointers(
      (pointer) => pointer.slice(`/${field}`.length),
      () => editEither(context, id, { [field]: readPolicy(body) }),
    )
    return complete((await answerEntitlement(context.tx, context.tenant.id, id))[field])
  }),
})

/** The policies of an entitlement, one by one. */
export const policies = {
  activation: proceduresOf(policyKinds.activation),
  license: proceduresOf(policyKinds.license),
  trial: proceduresOf(policyKinds.trial),
  anonymousTry: proceduresOf(policyKinds.anonymousTry),
  renewal: proceduresOf(policyKinds.renewal),
  keyIssuance: proceduresOf(policyKinds.keyIssuance),
}
