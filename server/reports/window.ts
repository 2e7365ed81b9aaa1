import { fromInstant, toNullableInstant } from '../kit/instants.ts'
import { invalid } from '../kit/problem.ts'

/** The time that a report tells of, in milliseconds: from `from`, to just before `to`; null where it has no bound. */
export interface Window {
  from: number | null
  to: number | null
}

/** The time that a request asks for; throws the validation problem when it ends before it begins. */
export function readWindow(query: { from?: string | null; to?: string | null }): Window {
  const window = { from: fromInstant(query.from ?? null), to: fromInstant(query.to ?? null) }
  if (window.from !== null && window.to !== null && window.to <= window.from)
    throw invalid([{ pointer: 'to', message: 'must be after from' }])
  return window
}

/** Whether something that happened at an instant is of the window. */
export const isWithin = ({ from, to }: Window, at: number): boolean =>
  (from === null || at >= from) && (to === null || at < to)

/** The window as it is answered. */
export const windowToWire = ({ from, to }: Window) => ({ from: toNullableInstant(from), to: toNullableInstant(to) })
