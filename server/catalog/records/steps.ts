import type { Kind } from '../../../catalog-schema/order.ts'
import { isStep, lifecycles } from '../../../catalog-schema/rules/lifecycle.ts'
import { Problem } from '../../kit/problem.ts'

/** Refuses to move a record along its lifecycle otherwise than by one allowed step. */
export function requireStep(kind: Kind, from: string, to: string): void {
  if (isStep(kind, from, to)) return
  const next = lifecycles[kind]?.steps[from] ?? []
  const allowed = next.length > 0 ? `from ${from} it can become ${next.join(' or ')}` : `${from} is the last status`
  throw new Problem('catalog.invalid_transition', `It is ${from} and cannot become ${to}: ${allowed}.`)
}

/** Refuses an edit that changes a record's status by anything but one allowed step. */
export function requireStepOrSame(kind: Kind, before: object, after: object): void {
  const { field } = lifecycles[kind]!
  const [from, to] = [before, after].map((item) => String((item as Record<string, unknown>)[field]))
  if (from !== to) requireStep(kind, from!, to!)
}
