import { listOwnCodes } from '../../entitlements/activation-codes/own-codes.ts'
import { callerId } from '../../kit/context.ts'
import { query } from '../../kit/procedure.ts'
import { listOwnActivationCodes } from './contract.ts'

/** The activation codes of signed-in end users. */
export const ownActivationCodes = {
  list: query(listOwnActivationCodes, (context, input) => listOwnCodes(context, callerId(context.caller), input)),
}
