import { submitRating } from '../../feedback/ratings/submitting.ts'
import { identifyEither } from '../../kit/either-token.ts'
import { commitOnce, task } from '../../kit/procedure.ts'
import { submitOwnRating } from './contract.ts'

/** How end users, and devices on which nobody is signed in, like what they use. */
export const ownRatings = {
  submit: task(submitOwnRating, async (given, submission) => {
    const context = { ...given, caller: await identifyEither(given, submitOwnRating.eitherToken) }
    return commitOnce(submitOwnRating, context, submission, submitRating)
  }),
}
