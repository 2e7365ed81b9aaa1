import { listSubmitted, submitItem } from '../../feedback/items/submitting.ts'
import { getReporter, lockReporter } from '../../feedback/reporter.ts'
import { causeOf } from '../../kit/cause.ts'
import { mutation, query } from '../../kit/procedure.ts'
import { listOwnFeedback, submitFeedback } from './contract.ts'

/** What end users, and devices on which nobody is signed in, say of the products. */
export const ownFeedback = {
  submit: mutation(submitFeedback, async (context, said) =>
    submitItem(causeOf(context), await lockReporter(context.tx, context), said),
  ),

  list: query(listOwnFeedback, async (context, query) =>
    listSubmitted(context.read, context.tenant.id, await getReporter(context.read, context), query),
  ),
}
