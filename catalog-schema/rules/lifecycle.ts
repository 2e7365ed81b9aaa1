import type { Kind } from '../order.ts'
import type { Breach } from './rule.ts'

type Steps = Record<string, readonly string[]>

const releaseSteps: Steps = { Draft: ['Published'], Published: ['Retired'], Retired: [] }

/** The steps each lifecycle allows, from a status to the next. */
export const lifecycles: Partial<Record<Kind, { field: string; steps: Steps }>> = {
  product: { field: 'status', steps: releaseSteps },
  planSet: { field: 'status', steps: releaseSteps },
  addOn: { field: 'status', steps: releaseSteps },
  feature: {
    field: 'lifecycleStatus',
    steps: {
      Draft: ['Preview', 'Published'],
      Preview: ['Published'],
      Published: ['Disabled'],
      Disabled: ['Published', 'Archived'],
      Archived: [],
    },
  },
  entitlementOffer: {
    field: 'status',
    steps: {
      Draft: ['Active', 'Cancelled'],
      Active: ['Suspended', 'Cancelled', 'Expired'],
      Suspended: ['Active', 'Cancelled', 'Expired'],
      Expired: ['Active', 'Cancelled'],
      Cancelled: [],
    },
  },
}

/** Whether one step leads from a status to another. */
export const isStep = (kind: Kind, from: string, to: string) => lifecycles[kind]?.steps[from]?.includes(to) ?? false

/** Whether any number of steps leads there: what an import may do at once. */
export function isReachable(kind: Kind, from: string, to: string): boolean {
  const steps = lifecycles[kind]?.steps
  if (!steps || from === to) return true
  const seen = new Set([from])
  const waiting = [from]
  for (let status = waiting.pop(); status !== undefined; status = waiting.pop())
    for (const next of steps[status] ?? []) {
      if (next === to) return true
      if (!seen.has(next)) {
        seen.add(next)
        waiting.push(next)
      }
    }
  return false
}

/** A stored item may only move on along its lifecycle. */
export function checkLifecycle(kind: Kind, before: Record<string, unknown>, after: Record<string, unknown>): Breach[] {
  const lifecycle = lifecycles[kind]
  if (!lifecycle) return []
  const [from, to] = [String(before[lifecycle.field]), String(after[lifecycle.field])]
  if (isReachable(kind, from, to)) return []
  return [
    { codeName: 'catalog.invalid_transition', path: `/${lifecycle.field}`, message: `${from} cannot become ${to}` },
  ]
}
