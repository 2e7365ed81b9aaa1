import { listSubmitted, submitItem } from '../../feedback/items/submitting.ts'
import { getReporter } from '../../feedback/reporter.ts'
import { causeOf } from '../../kit/cause.ts'
import { identifyEither } from '../../kit/either-token.ts'
import { commitOnce, query, task } from '../../kit/procedure.ts'
import { listOwnFeedback, submitFeedback } from './contract.ts'

/** What end users, and devices on which nobody is signed in, say of the products. */
export const ownFeedback = {
  submit: task(submitFeedback, async (given, submission) => {
    const context = { ...given, caller: await identifyEither(given, submitFeedback.eitherToken) }
    return commitOnce(submitFeedback, context, submission, async (context, said) =>
      submitItem(causeOf(context), await getReporter(context.tx, context), said),
    )
  }),

  list: query(listOwnFeedback, async ({ read, ...given }, query) => {
    const context = { ...given, caller: await identifyEither(given, listOwnFeedback.eitherToken) }
    return listSubmitted(read, context.tenant.id, await getReporter(read, context), query)
  }),
}
