import { Problem } from '../../kit/problem.ts'

/**
 * Throws a refusal of activation as that of an offline issue, which names it as its reason. What is wrong with the request is
 * told as it is, and a failure that is nobody's refusal stays one, so that it is asked again.
 */
export function refuseOffline(error: unknown): never {
  if (!(error instanceof Problem) || !error.codeName.startsWith('license.')) throw error
  if (error.codeName === 'license.validation_error') throw error
  throw new Problem('offline.activation_refused', error.message, { extensions: { reason: error.codeName } })
}
