import { task } from '../../kit/procedure.ts'
import { answerLicense } from '../sessions/answering.ts'
import { activationNames, tryOffer } from '../sessions/contract.ts'
import { performAlone } from '../sessions/settling.ts'
import { tryNow } from './trying.ts'

/** A visitor uses an application without an account for a while. */
export const tryProcedure = task(tryOffer, (context, request) =>
  performAlone(
    context,
    { name: tryOffer.name, parameters: request, keptWith: activationNames, mayWait: true },
    async (tx) => answerLicense(context.database.read, await tryNow(tx, context, request), context),
  ),
)
