import { redeemGrant } from '../../entitlements/credit-grants/redeeming.ts'
import { causeOf } from '../../kit/cause.ts'
import { callerId } from '../../kit/context.ts'
import { recordNotFound } from '../../kit/problem.ts'
import { mutation } from '../../kit/procedure.ts'
import { redeemCreditGrant } from './contract.ts'
import { recordWrongGrantCode } from './guessing.ts'

/** What signed-in end users do with the credits that they are granted. */
export const ownCreditGrants = {
  redeem: mutation(redeemCreditGrant, async (context, { code }) => {
    const userId = callerId(context.caller)
    const redeemed = await redeemGrant({ ...causeOf(context), sealer: context.sealer }, { userId, code })
    if (redeemed) return redeemed
    recordWrongGrantCode(context, userId)
    throw recordNotFound('credit grant')
  }),
}
