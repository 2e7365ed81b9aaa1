import { submitRating } from '../../feedback/ratings/submitting.ts'
import { mutation } from '../../kit/procedure.ts'
import { submitOwnRating } from './contract.ts'

/** How end users, and devices on which nobody is signed in, like what they use. */
export const ownRatings = { submit: mutation(submitOwnRating, submitRating) }
