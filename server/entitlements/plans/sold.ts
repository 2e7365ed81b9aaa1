import { invalid } from '../../kit/problem.ts'

/** Refuses to give an entitlement what is not sold yet, or no more. */
export function requireSold(what: string, status: string, pointer: string): void {
  if (status === 'Published') return
  const why = status === 'Draft' ? 'is a draft: publish it first' : `is ${status}: it is no longer sold`
  throw invalid([{ pointer, message: `${what} ${why}` }])
}
