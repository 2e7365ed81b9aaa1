import { sameValue } from '../../../catalog-schema/form.ts'
import { refuseErrors } from '../../catalog/records/judging.ts'
import type { Contract } from '../../kit/contract.ts'
import { asTaken, wasRead } from '../../kit/input.ts'
import { withoutNulls } from '../../kit/records/body.ts'

/** Where that is written which is answered otherwise: as it is in effect. */
const elsewhere: Record<string, string> = {
  products:
    'is not as it was read: products are attached at `POST …/products/{productId}` and detached at `DELETE`, or listed anew by their productId in a request without what is read-only',
  features:
    'is not as it was read: send what changes of which feature, or of an offer with which product, in a request without what is read-only',
}

/**
 * What a request changes of an entitlement, or an offer: of a record that comes back as it was read the fields that `answer`
 * does not have so, any other request as it is. Throws the validation problem for products and features that were read, and
 * changed then.
 */
export async function changesOf<Body extends object>(
  contract: Contract,
  body: Body,
  answer: () => Promise<object>,
): Promise<Body> {
  if (!wasRead(body)) return body
  const record = asTaken(contract, await answer())
  const changes = Object.entries(body).filter(
    ([name, value]) => value !== null && !sameValue(withoutNulls(value), withoutNulls(record[name])),
  )
  refuseErrors(
    changes.flatMap(([name]) => (name in elsewhere ? { pointer: `/${name}`, message: elsewhere[name]! } : [])),
  )
  return Object.fromEntries(changes) as Body
}
