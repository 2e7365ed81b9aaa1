import type { entitlementStatuses } from '../../../catalog-schema/enumerations.ts'
import { toInstant } from '../../kit/instants.ts'
import { writable } from '../../kit/last-instant.ts'
import { Problem } from '../../kit/problem.ts'
import type { EntitlementRow } from '../entitlements/loading.ts'
import { renewalPolicyOf } from '../policies/effective.ts'
import { endAfter, renewalOf, renewsItself } from './periods.ts'
import { renewExpired } from './renewing.ts'
import { type Settled, settle } from './settling.ts'
import { endOf, isOver } from './standing.ts'
import { tell } from './telling.ts'
import { isTrial, trialEndOf } from './trials.ts'

export type EntitlementStatus = (typeof entitlementStatuses)[number]

/** Something done to an entitlement's status: from which it is allowed, to which it leads, and what else it does. */
interface Step {
  from: readonly EntitlementStatus[]
  to: EntitlementStatus
  take: (row: EntitlementRow, now: number) => Settled
}

const steps = {
  activate: { from: ['Draft'], to: 'Active', take: activate },
  suspend: { from: ['Active'], to: 'Suspended', take: suspend },
  resume: { from: ['Suspended'], to: 'Active', take: resume },
  renew: { from: ['Expired'], to: 'Active', take: renewExpired },
  cancel: { from: ['Draft', 'Active', 'Suspended', 'Expired'], to: 'Cancelled', take: cancel },
} as const satisfies Record<string, Step>
export type StepName = keyof typeof steps

/**
 * The entitlement, as it stands now (milliseconds), one step along its life, with the events of that; throws
 * catalog.invalid_transition when its status does not allow the step, and for activating what is over already.
 */
export function takeStep(row: EntitlementRow, name: StepName, now: number): Settled {
  targetOf(name, row.status)
  if (name === 'activate' && isOver(row, now)) throw new Problem('catalog.invalid_transition', tellEnd(row))
  return steps[name].take(row, now)
}

/** When what is over ended, and what to do about it. */
function tellEnd(row: EntitlementRow): string {
  const end = endOf(row)!
  return end === trialEndOf(row)
    ? `Its trial ended at ${toInstant(end)}: give it a new one by restart-trial first.`
    : `It ended at ${toInstant(end)}: move its end first.`
}

/** The status that a step leads to; throws catalog.invalid_transition when it does not start from this one. */
export function targetOf(name: StepName, from: string): EntitlementStatus {
  const step: Step = steps[name]
  if (!leadsFrom(step, from)) throw noSuchStep(from, name)
  return step.to
}

/**
 * The entitlement one step along to a status that is written and that it has not, with the events of that and of what time
 * had done by now; throws catalog.invalid_transition when no step leads there. Written Active with its end behind it, as
 * when a vendor brings its customers along, it is Expired once it is settled.
 */
export function stepTo(row: EntitlementRow, to: EntitlementStatus, now: number): Settled {
  const before = settle(row, now)
  const { status } = before.row
  const step = Object.values<Step>(steps).find((one) => one.to === to && leadsFrom(one, status))
  if (!step) throw noStepTo(status, to)
  const after = step.take(before.row, now)
  return { row: after.row, happenings: [...before.happenings, ...after.happenings] }
}

const leadsFrom = ({ from }: Step, status: string) => from.some((one) => one === status)

const stepsFrom = (status: string) => Object.entries<Step>(steps).filter(([, step]) => leadsFrom(step, status))

/** For a step that is named: those that there are instead. */
const noSuchStep = (status: string, name: StepName) =>
  noStep(
    status,
    `has no step "${name}"`,
    `it has ${stepsFrom(status)
      .map(([other]) => other)
      .join(' and ')}`,
  )

/** For a status that is written: those that it can have next. */
const noStepTo = (status: string, to: string) =>
  noStep(
    status,
    `cannot become ${to}`,
    `it can become ${stepsFrom(status)
      .map(([, step]) => step.to)
      .join(' or ')}`,
  )

function noStep(status: string, refused: string, instead: string): Problem {
  const allowed = stepsFrom(status).length > 0 ? instead : `${status} is the last status`
  return new Problem('catalog.invalid_transition', `It is ${status} and ${refused}: ${allowed}.`)
}

/** Its first period begins now, or when it becomes valid; a trial's begins when it is renewed. */
function activate(row: EntitlementRow, now: number): Settled {
  const begun = { ...row, status: 'Active', activated_at: now }
  return told('Entitlement.Activated', isTrial(row) ? begun : withFirstPeriod(begun, now))
}

function withFirstPeriod(row: EntitlementRow, now: number): EntitlementRow {
  const policy = renewalPolicyOf(row)
  const start = Math.max(now, row.not_valid_before_date_time ?? now)
  const begun = { ...row, period_started_at: start }
  if (policy === null) return begun
  if (row.expiration_date_time !== null) return renewsItself(row) ? withEndAfter(start, begun) : begun
  const end = endAfter(start, start, policy.period, 1)
  return { ...begun, period_anchor_at: start, expiration_date_time: end === null ? null : writable(end) }
}

/** What renews itself and had its end before it began has the first end after: it was not renewed while it was no one's. */
function withEndAfter(start: number, row: EntitlementRow): EntitlementRow {
  let begun = row
  while (begun.expiration_date_time! <= start) {
    const { end, anchor } = renewalOf(begun, begun.expiration_date_time!, start)
    begun = { ...begun, period_anchor_at: anchor, expiration_date_time: end }
  }
  return { ...begun, expiration_date_time: writable(begun.expiration_date_time!) }
}

function suspend(row: EntitlementRow): Settled {
  return { row: { ...row, status: 'Suspended' }, happenings: [] }
}

function resume(row: EntitlementRow): Settled {
  return told('Entitlement.Activated', { ...row, status: 'Active' })
}

function cancel(row: EntitlementRow): Settled {
  return told('Entitlement.Cancelled', { ...row, status: 'Cancelled' })
}

const told = (type: 'Entitlement.Activated' | 'Entitlement.Cancelled', row: EntitlementRow): Settled => ({
  row,
  happenings: [tell(type, row)],
})
