import { mergeItem } from '../../../catalog-schema/canonical.ts'
import type { Kind } from '../../../catalog-schema/order.ts'
import { pointerOf } from '../../../catalog-schema/paths.ts'
import { invalid } from '../../kit/problem.ts'

/** Refuses what names one member of a list twice: whichever stood last would silently win. `body` is where errors point. */
export function refuseRepeated(kind: Kind, given: object, body: object): void {
  const { repeated } = mergeItem(kind, undefined, given)
  if (repeated.length === 0) return
  const errors = repeated.slice(0, 100).map(({ path, name }) => ({
    pointer: pointerOf(kind, body, path),
    message: `"${name}" stands twice in this list`,
  }))
  throw invalid(errors)
}
