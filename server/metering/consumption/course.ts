import type { Decimal } from '../../kit/decimal.ts'
import type { Happening } from '../../kit/outbox.ts'
import type { TierMarks } from '../tiers/ruling.ts'
import type { Meter, MeterState } from './meter.ts'

/** Why a balance moved. */
export type EntryKind =
  | 'Initial'
  | 'Deposit'
  | 'Grant'
  | 'Deduction'
  | 'Consumption'
  | 'Lapse'
  | 'AutoBalance'
  | 'Waived'

/** Who does a step, in which request, and when on the tenant's clock. */
export interface By {
  actor: string
  correlationId: string
  now: number
}

/** One movement of a balance, signed. */
export interface Entry {
  by: By
  meterId: string
  kind: EntryKind
  amount: Decimal
  balanceAfter: Decimal
  occurredAt: number
  reference: string | null
}

/** The event of a meter that stands at another level, or of a balance that is used up. */
export type Crossing = Extract<Happening, { type: 'MeteredUsage.OverageStatusChanged' | 'CreditBalance.StatusChanged' }>

/** A meter, and how it stood before. */
export interface MeterChange {
  meter: Meter
  before: MeterState
}

/** The usage of a period that is over. */
export interface PastPeriod {
  meterId: string
  periodStart: number
  usage: Decimal
  marks: TierMarks
}

/** A period of a meter, from its start to just before its end. */
export type PeriodAsked = Pick<PastPeriod, 'meterId' | 'periodStart'> & { periodEnd: number }

/**
 * What happens to the meters of one entitlement, one step after another: how they stand by now, and what is to be told and
 * entered of it. Nothing is written before all is decided.
 */
export class Course {
  readonly entitlementId: string
  readonly entries: Entry[] = []
  readonly happenings: { by: By; happening: Crossing }[] = []
  /** Whose step the next one is. */
  by: By = { actor: 'clock', correlationId: 'clock', now: 0 }
  readonly #meters: Map<string, Meter>
  readonly #read: ReadonlyMap<string, Meter>
  /** Of each meter, by their starts. */
  readonly #past = new Map<string, Map<number, PastPeriod>>()
  readonly #changedPast = new Map<string, PastPeriod>()

  constructor(entitlementId: string, meters: readonly Meter[]) {
    this.entitlementId = entitlementId
    // Their ids are in the order in which they were opened.
    const inOrder = meters.toSorted((a, b) => (a.id < b.id ? -1 : 1))
    this.#meters = new Map(inOrder.map((meter) => [meter.id, meter]))
    this.#read = new Map(this.#meters)
  }

  /** The same meters as they stand now, for a decision that is to change nothing. */
  rehearsal(): Course {
    return new Course(this.entitlementId, this.meters())
  }

  meters(): Meter[] {
    return [...this.#meters.values()]
  }

  find(id: string): Meter | undefined {
    return this.#meters.get(id)
  }

  get(id: string): Meter {
    const meter = this.find(id)
    if (!meter) throw new Error(`meter ${id} is not at hand`)
    return meter
  }

  /** The meter of a metric, by its exact name; of two products' the one that was opened first. */
  named(metricName: string): Meter | undefined {
    for (const meter of this.#meters.values()) if (meter.metricName === metricName) return meter
    return undefined
  }

  /** Changes how a meter stands; answers it. */
  put<M extends Meter>(meter: M, change: Partial<MeterState>): M {
    const changed = { ...meter, state: { ...meter.state, ...change } }
    this.#meters.set(meter.id, changed)
    return changed
  }

  enter(entry: Omit<Entry, 'by'>): void {
    this.entries.push({ ...entry, by: this.by })
  }

  tell(happening: Crossing): void {
    this.happenings.push({ by: this.by, happening })
  }

  /** What was put aside last of a period that is over. */
  past({ meterId, periodStart, periodEnd }: PeriodAsked): PastPeriod | undefined {
    let last: PastPeriod | undefined
    for (const put of this.#past.get(meterId)?.values() ?? []) {
      const isWithin = put.periodStart >= periodStart && put.periodStart < periodEnd
      if (isWithin && (!last || put.periodStart > last.periodStart)) last = put
    }
    return last
  }

  /** A period that is over and spoken of, as it was written. */
  knowPast(period: PastPeriod): void {
    const { meterId, periodStart } = period
    const ofMeter = this.#past.get(meterId) ?? new Map<number, PastPeriod>()
    this.#past.set(meterId, ofMeter.set(periodStart, period))
  }

  putPast(period: PastPeriod): void {
    this.knowPast(period)
    this.#changedPast.set(`${period.meterId} ${period.periodStart}`, period)
  }

  /** The meters that no longer stand as they were read, and how they stood. */
  changed(): MeterChange[] {
    return this.meters().flatMap((meter) => {
      const before = this.#read.get(meter.id)!.state
      return meter.state === before ? [] : [{ meter, before }]
    })
  }

  changedPast(): PastPeriod[] {
    return [...this.#changedPast.values()]
  }
}
