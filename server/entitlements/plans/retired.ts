import { invalid } from '../../kit/problem.ts'

/** Refuses to give an entitlement what is no longer sold; what is a Draft yet can be given by the vendor, as a Draft offer can be cloned. */
export function refuseRetired(what: string, status: string, pointer: string): void {
  if (status !== 'Retired') return
  throw invalid([{ pointer, message: `${what} is Retired: it is no longer sold` }])
}
