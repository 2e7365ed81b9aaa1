import type { Decimal } from '../../kit/decimal.ts'
import type { Cause } from '../../kit/outbox.ts'
import { Problem } from '../../kit/problem.ts'
import type { Course, EntryKind } from '../consumption/course.ts'
import { reportLevel } from '../consumption/level.ts'
import { asBalance } from '../consumption/meter.ts'
import { balanceNamed, shortageOf } from '../consumption/reserving.ts'
import { settle } from '../consumption/settling.ts'
import { consumptionOf } from '../consumption/snapshot.ts'
import { noSuchBalance } from '../consumption/standing.ts'
import { loadCourses, writeCourses } from '../consumption/store.ts'
import { deduct, deposit } from './crediting.ts'

/** Credits that somebody adds to a balance, or takes from it. */
interface Movement {
  metric: string
  kind: EntryKind & ('Deposit' | 'Grant' | 'Deduction')
  /** Above zero, whichever way it goes. */
  amount: Decimal
  reference: string | null
}

/**
 * Moves credits of a balance of an entitlement, and answers how the balance stood before and stands then, with the movement's
 * entry in the ledger. Throws usage.metric_not_found when the metric is no balance, and usage.balance_blocked or
 * usage.insufficient_credits for a deduction that it cannot pay whole, what holds keep of it left aside.
 */
export async function moveCredits(cause: Cause, entitlementId: string, movement: Movement) {
  const { tx, tenantId, now, actor, correlationId } = cause
  const course = (await loadCourses(tx, tenantId, [entitlementId])).get(entitlementId)!
  course.by = { actor: 'clock', correlationId, now }
  settle(course, now)
  course.by = { actor, correlationId, now }
  const balance = balanceNamed(course, movement.metric)
  if (!balance) throw noSuchBalance()
  const before = consumptionOf(course, balance, now)
  move(course, balance.id, movement, now)
  reportLevel(course, balance.id, balance)
  const entryIds = await writeCourses(tx, tenantId, [course])
  const moved = course.entries.findIndex(({ meterId, kind }) => meterId === balance.id && kind === movement.kind)
  return {
    before,
    after: consumptionOf(course, asBalance(course.get(balance.id)), now),
    entryId: entryIds[moved] ?? null,
  }
}

function move(course: Course, id: string, { kind, amount, reference }: Movement, now: number): void {
  if (kind === 'Deduction') {
    requireCredits(course, id, amount)
    deduct(course, id, kind, amount, now, reference)
  } else deposit(course, id, kind, amount, now, reference)
}

function requireCredits(course: Course, id: string, amount: Decimal): void {
  const shortage = shortageOf(course, asBalance(course.get(id)), amount)
  if (shortage === 'balance_blocked')
    throw new Problem('usage.balance_blocked', 'A Critical band applies: nothing is deducted before a deposit.')
  if (shortage) throw new Problem('usage.insufficient_credits', 'The balance does not have that many credits to give.')
}
