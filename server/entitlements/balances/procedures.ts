import { causeOf } from '../../kit/cause.ts'
import type { WriteContext } from '../../kit/context.ts'
import { invalid } from '../../kit/problem.ts'
import { mutation, query } from '../../kit/procedure.ts'
import { listEntries } from '../../metering/balances/ledger-pages.ts'
import { moveCredits } from '../../metering/balances/moving.ts'
import { amountOf, amountRule } from '../../metering/consumption/amount.ts'
import { catchUp } from '../../metering/consumption/bringing-up.ts'
import type { Course } from '../../metering/consumption/course.ts'
import { isMetered, type Meter } from '../../metering/consumption/meter.ts'
import { consumptionOf, usageOf } from '../../metering/consumption/snapshot.ts'
import { getBalance, settledCourses } from '../../metering/consumption/standing.ts'
import { getEntitlement, lockEntitlement } from '../entitlements/loading.ts'
import { openLateMeters } from '../plans/late-meters.ts'
import { balanceContracts, type MeterAnswer, type MovementBody } from './contract.ts'

const move =
  (kind: 'Deposit' | 'Deduction') =>
  async (context: WriteContext, { id, metric, ...body }: { id: string; metric: string } & MovementBody) => {
    const amount = amountOf(body.amount)
    if (!amount) throw invalid([{ pointer: '/amount', message: amountRule }])
    const entitlement = await lockEntitlement(context.tx, context.tenant.id, id)
    const movement = { metric, kind, amount, reference: body.reference ?? null }
    const cause = causeOf(context)
    await openLateMeters(cause, entitlement.id, [metric])
    const { before, after, entryId } = await moveCredits(cause, entitlement.id, movement)
    const { metric: _metric, ...stood } = before
    context.deed = { before: stood }
    return { ...after, entryId }
  }

const ledger = query(
  balanceContracts.ledger,
  async ({ read, tenant, now }, { id, metric, ...query }) => {
    const entitlement = await getEntitlement(read, tenant.id, id)
    const balance = await getBalance(read, tenant.id, entitlement.id, metric, now)
    return listEntries(read, tenant.id, balance.id, query)
  },
  ({ database, tenant, now, correlationId }, { id }) =>
    catchUp(database, { tenantId: tenant.id, now, correlationId }, id.toLowerCase()),
)

/** What the meters of an entitlement have counted and have left, for support. */
export const entitlementUsage = query(balanceContracts.usage, async ({ read, tenant, now }, { id, metric }) => {
  const entitlement = await getEntitlement(read, tenant.id, id)
  const course = (await settledCourses(read, tenant.id, [entitlement.id], now)).get(entitlement.id)!
  const meters = course.meters().filter(({ metricName }) => metric === undefined || metricName === metric)
  return { meters: meters.map((meter) => toWire(course, meter, now)) }
})

const toWire = (course: Course, meter: Meter, now: number): MeterAnswer => ({
  id: meter.id,
  productId: meter.productId,
  kind: isMetered(meter) ? 'Metered' : 'Balance',
  usage: usageOf(course, meter, now),
  consumption: consumptionOf(course, meter, now),
})

/** The credits of an entitlement, as the vendor's backend moves them. */
export const balances = {
  deposit: mutation(balanceContracts.deposit, move('Deposit')),
  deduct: mutation(balanceContracts.deduct, move('Deduction')),
  ledger,
}
