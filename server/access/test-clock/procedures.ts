import type { Tx } from '../../database/database.ts'
import type { WriteContext } from '../../kit/context.ts'
import type { InputOf } from '../../kit/contract.ts'
import { runDueUntil } from '../../kit/due-work.ts'
import { toInstant } from '../../kit/instants.ts'
import { invalid } from '../../kit/problem.ts'
import { commitOnce, query, task } from '../../kit/procedure.ts'
import { planAdvance } from './advancing.ts'
import { advanceTestClock, getTestClock, type TestClock } from './contract.ts'

export const testClockProcedures = {
  get: query(getTestClock, async ({ now }) => toWire(now)),

  advance: task(advanceTestClock, async (context, input) => {
    const answer = await commitOnce(advanceTestClock, context, input, advance)
    await context.settleDeliveries?.(context.tenant.id)
    return answer
  }),
}

async function advance(
  { tx, tenant, dueWork, correlationId, answer }: WriteContext,
  input: InputOf<typeof advanceTestClock>,
): Promise<TestClock> {
  const offset = await moveOffset(tx, tenant.id, 0)
  const now = Date.now() + offset
  const plan = planAdvance(now, input)
  if ('message' in plan) throw invalid([plan])
  await runDueUntil(tx, dueWork, tenant.id, plan.to, correlationId)
  await moveOffset(tx, tenant.id, plan.to - now)
  answer.givenAt = plan.to
  return toWire(plan.to)
}

/** Adds to the clock's offset and answers the new one; the row stays locked until the transaction ends, so that advances add up. */
async function moveOffset(tx: Tx, tenantId: string, millis: number): Promise<number> {
  const { clock_offset } = await tx
    .updateTable('tenants')
    .set((eb) => ({ clock_offset: eb('clock_offset', '+', millis) }))
    .where('id', '=', tenantId)
    .returning('clock_offset')
    .executeTakeFirstOrThrow()
  return clock_offset
}

const toWire = (now: number): TestClock => ({ now: toInstant(now), frozen: false })
