import type { WriteContext } from '../../kit/context.ts'
import type { InputOf } from '../../kit/contract.ts'
import { runDueUntil } from '../../kit/due-work.ts'
import { toInstant } from '../../kit/instants.ts'
import { invalid } from '../../kit/problem.ts'
import { commitOnce, query, task } from '../../kit/procedure.ts'
import { advanceTestClock, getTestClock, type TestClock } from './contract.ts'
import { goMostOfTheWay, inTurn, planFrom, type Way, writePart } from './parts.ts'
import { moveOffset, readOffset } from './store.ts'

export const testClockProcedures = {
  get: query(getTestClock, async ({ now }) => toWire(now)),

  advance: task(advanceTestClock, async (context, input) => {
    const answer = await inTurn(context, async () => {
      const way = await goMostOfTheWay(context, input)
      return writePart(context.database, () =>
        commitOnce(advanceTestClock, context, input, (writing, _input, progress) =>
          advance(writing, input, (progress as Way | undefined) ?? way),
        ),
      )
    })
    await context.settleDeliveries?.(context.tenant.id)
    return answer
  }),
}

/** Goes the way, or what is left of one that was begun. */
async function advance(
  context: WriteContext,
  input: InputOf<typeof advanceTestClock>,
  begun: Way | undefined,
): Promise<TestClock> {
  const { tx, tenant, dueWork, correlationId, answer } = context
  const offset = await readOffset(tx, tenant.id)
  const now = Date.now() + offset
  const plan = planFrom(begun, input, offset)
  if ('message' in plan) throw invalid([plan])
  const to = Math.max(plan.to, now)
  await runDueUntil(tx, dueWork, tenant.id, to, correlationId)
  await moveOffset(tx, tenant.id, to - now)
  answer.givenAt = to
  if (begun) {
    context.now = begun.from
    context.deed = { before: toWire(begun.from) }
  }
  return toWire(to)
}

const toWire = (now: number): TestClock => ({ now: toInstant(now), frozen: false })
