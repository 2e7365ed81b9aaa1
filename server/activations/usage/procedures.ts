import { isLasting, readDuration } from '../../../catalog-schema/duration.ts'
import type { RequestContext } from '../../kit/context.ts'
import type { Decimal } from '../../kit/decimal.ts'
import { invalid } from '../../kit/problem.ts'
import { query, task } from '../../kit/procedure.ts'
import { requireOwnSession } from '../../kit/scope-check.ts'
import { amountOf, amountRule } from '../../metering/consumption/amount.ts'
import { preallocate } from '../../metering/consumption/deciding.ts'
import { consumptionOf, usageOf } from '../../metering/consumption/snapshot.ts'
import { getMeter } from '../../metering/consumption/standing.ts'
import {
  openHold,
  readConsumption,
  readUsage,
  releaseHold,
  settleHold,
  tryConsume,
  tryPreallocate,
} from './contract.ts'
import { openWhatIsLate, perform } from './deciding.ts'
import { lookAt } from './looking.ts'

const usualHold = 'PT5M'
const longestHold = 24 * 3_600_000

export const usageProcedures = {
  tryPreallocate: task(tryPreallocate, async (context, { sessionId, metric, amount }) => {
    const wanted = readAmount(amount ?? 1)
    const { course, meter, now } = await findMeter(context, sessionId, metric)
    return preallocate(course, meter.id, wanted, now)
  }),

  tryConsume: task(tryConsume, async (context, request) => {
    requireOwnSession(context.caller, request.sessionId)
    const { metric, idempotentKey: key } = request
    const amount = readAmount(request.amount)
    return perform(context, tryConsume.name, request, { deed: 'consume', metric, amount, key })
  }),

  usage: query(readUsage, async (context, { sessionId, metric }) => {
    const { course, meter, now } = await findMeter(context, sessionId, metric)
    return usageOf(course, meter, now)
  }),

  consumption: query(readConsumption, async (context, { sessionId, metric }) => {
    const { course, meter, now } = await findMeter(context, sessionId, metric)
    return consumptionOf(course, meter, now)
  }),

  holds: {
    open: task(openHold, async (context, request) => {
      requireOwnSession(context.caller, request.sessionId)
      const { metric, idempotentKey: key } = request
      const holdsFor = request.expiresIn ?? usualHold
      const amount = readAmount(request.amount)
      requireHoldable(holdsFor)
      return perform(context, openHold.name, request, { deed: 'hold', metric, amount, key, holdsFor })
    }),

    settle: task(settleHold, async (context, request) => {
      const amount = readAmount(request.amount, 'zero is allowed')
      const holdId = request.holdId.toLowerCase()
      return perform(context, settleHold.name, request, { deed: 'settle', holdId, amount })
    }),

    release: task(releaseHold, async (context, request) => {
      const holdId = request.holdId.toLowerCase()
      return perform(context, releaseHold.name, request, { deed: 'release', holdId })
    }),
  },
}

/** The meter of a metric as it stands now; throws for another session, one that may use nothing, and an unknown metric. */
async function findMeter(context: RequestContext, askedFor: string, metric: string) {
  const { sessionId, entitlementId } = requireOwnSession(context.caller, askedFor)
  const { tenant, now } = context
  const look = () => lookAt(context.database, { tenantId: tenant.id, sessionId, entitlementId, now })
  const seen = await look()
  const course = !seen.named(metric) && (await openWhatIsLate(context, [metric])) ? await look() : seen
  return { course, meter: getMeter(course, metric), now }
}

function readAmount(written: number | string, zero?: 'zero is allowed'): Decimal {
  const amount = amountOf(written, zero)
  if (!amount)
    throw invalid([{ pointer: 'amount', message: zero ? amountRule.replace('above 0', '0 or above') : amountRule }])
  return amount
}

function requireHoldable(holdsFor: string): void {
  const span = readDuration(holdsFor)
  if (!span || span.months > 0 || span.millis > longestHold || !isLasting(holdsFor))
    throw invalid([{ pointer: '/expiresIn', message: 'must be between a second and a day (P1D)' }])
}
