import { setTimeout as sleep } from 'node:timers/promises'
import type { Tx } from '../../database/database.ts'
import { newId } from '../../kit/ids.ts'
import { purgeDeliveries } from '../deliveries/retention.ts'
import type { Attempted } from './attempt.ts'
import { endpointOf } from './endpoint.ts'
import { fanOut } from './fanning-out.ts'
import { Lanes, type OpenLane } from './lanes.ts'
import { recordAttempts } from './recording.ts'
import { type Sending, send } from './sender.ts'
import {
  endLeases,
  findDue,
  findEvents,
  isAnythingDue,
  isAnythingDueOf,
  lease,
  listActiveSubscriptions,
  listDueSubscriptions,
} from './store.ts'

export interface DispatcherOptions extends Sending {
  /** Now on a tenant's clock. */
  nowOf: (tenantId: string) => Promise<number>
  /** Is told of each attempt what came of it, and how many milliseconds it took. */
  observe: (outcome: string, millis: number) => void
  log: {
    warn: (details: object, message: string) => void
    error: (error: unknown, message: string) => void
  }
}

/** How often it looks for what nobody told it of. */
const pollMillis = 1000
/** How long attempts that ended are gathered while others are under way, and how many at most: each time they are recorded is a write to the disk. */
const gatherMillis = 25
const mostGathered = 512
const pauseAfterFailureMillis = 1000
/** How long a subscription is leased, and how often anew; nothing is started in the last second of a lease. */
const leaseMillis = 6000
const renewEveryMillis = 1500
const lastStartMillis = leaseMillis - 1000
const purgeEveryMillis = 60_000
/** Less than is left of any lease then, as none is renewed. */
const patienceAtStopMillis = 4000
/** Ten attempts that all run out of time are over by then. */
const mostToSettleMillis = 600_000
const settlePauseMillis = 10
/** Retries that become due this close together are looked for together: each look is a transaction, which everybody else waits for. */
const retryTickMillis = 50
/** How many such moments are waited for; the looking around finds what is due at others. */
const mostTicks = 1000

/**
 * Delivers events: hands each to the subscriptions that want it, leases subscriptions for which something is due, sends that,
 * and records what came of it. Each round of that is one transaction, and what is being sent never waits for it.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions
  readonly #processId = newId()
  readonly #lanes = new Lanes()
  /** When each subscription was last leased to this process. */
  readonly #leasedAt = new Map<string, number>()
  readonly #stopping = new AbortController()
  readonly #cutting = new AbortController()
  readonly #endings: (() => unknown)[]
  readonly #running: Promise<void>
  #attempted: Attempted[] = []
  /** The moments at which retries are looked for, by their number. */
  readonly #ticks = new Set<number>()
  #underWay = 0
  /** Whether there may be something to find. */
  #isToldOf = true
  #rouse: () => void = () => undefined
  #purging: Promise<void> = Promise.resolve()

  constructor(options: DispatcherOptions) {
    this.#options = options
    const polling = setInterval(() => this.#tell(), pollMillis).unref()
    const purging = setInterval(() => void this.#purge(), purgeEveryMillis).unref()
    const stopHeeding = options.database.heed(() => this.#tell())
    this.#endings = [() => clearInterval(polling), () => clearInterval(purging), stopHeeding]
    this.#running = this.#run()
  }

  /** Waits until what is due of a tenant's deliveries by now was tried and what is old was forgotten, for ten minutes at most. */
  async settle(tenantId: string): Promise<void> {
    const { database, nowOf } = this.#options
    const end = performance.now() + mostToSettleMillis
    const isOver = () => this.#stopping.signal.aborted || performance.now() > end
    while (!isOver() && (await isAnythingDueOf(database.read, tenantId, await nowOf(tenantId)))) {
      this.#tell()
      await sleep(settlePauseMillis)
    }
    if (!isOver()) await this.#purge()
  }

  /** Starts nothing more, waits a little for what is under way, and leaves the rest to whoever comes next. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#rouse()
    await Promise.all(this.#endings.map((end) => end()))
    await Promise.all([this.#running, this.#purging])
    const end = performance.now() + patienceAtStopMillis
    while (this.#underWay > 0 && performance.now() < end) await sleep(settlePauseMillis)
    this.#cutting.abort()
    while (this.#underWay > 0) await sleep(settlePauseMillis)
    await this.#leave().catch((error: unknown) =>
      this.#options.log.error(error, 'deliveries in hand are left to others when the lease is over'),
    )
  }

  async #leave(): Promise<void> {
    if (this.#leasedAt.size + this.#attempted.length === 0) return
    await this.#options.database.transact(async (tx) => {
      await recordAttempts(tx, this.#attempted)
      await endLeases(tx, this.#processId)
    })
  }

  #tell(): void {
    this.#isToldOf = true
    this.#rouse()
  }

  #purge(): Promise<void> {
    this.#purging = this.#purging
      .then(() => purgeDeliveries(this.#options.database, this.#stopping.signal))
      .catch((error: unknown) => this.#options.log.error(error, 'old deliveries were not forgotten; it is tried again'))
    return this.#purging
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      await this.#somethingToDo()
      if (this.#stopping.signal.aborted) return
      try {
        await this.#round()
      } catch (error) {
        this.#options.log.error(error, 'deliveries were not looked after; it is tried again')
        this.#isToldOf = true
        await sleep(pauseAfterFailureMillis, undefined, { signal: this.#stopping.signal }).catch(() => undefined)
      }
    }
  }

  /** Until it is told of something; or attempts ended a moment ago, or many, or all of them. */
  async #somethingToDo(): Promise<void> {
    let end = Number.POSITIVE_INFINITY
    while (!this.#isToldOf && !this.#stopping.signal.aborted && this.#attempted.length < mostGathered) {
      if (this.#attempted.length > 0) {
        if (this.#underWay === 0) return
        end = Math.min(end, performance.now() + gatherMillis)
      }
      const left = end - performance.now()
      if (left <= 0) return
      const roused = new Promise<void>((resolve) => {
        this.#rouse = resolve
      })
      await (end === Number.POSITIVE_INFINITY ? roused : Promise.race([roused, sleep(left, undefined, { ref: false })]))
    }
  }

  /** One transaction: what came of attempts is recorded, events are handed out, and what is due is taken in hand. */
  async #round(): Promise<void> {
    const { database, log } = this.#options
    const isLooking = this.#isToldOf
    this.#isToldOf = false
    if (isLooking && !(await this.#isWorthARound())) return
    if (isLooking) await this.#refresh()
    const recorded = this.#attempted
    this.#attempted = []
    const startedAt = performance.now()
    const done = await database
      .transact(async (tx) => {
        const suspended = await recordAttempts(tx, recorded)
        this.#lanes.shut(suspended.map(({ id }) => id))
        const isMore = isLooking && (await fanOut(tx))
        const leased = isLooking ? await this.#leaseDue(tx) : undefined
        const wanted = this.#lanes.wanted(Date.now(), recorded)
        const taken = await findDue(tx, wanted)
        const events = taken.length > 0 ? await findEvents(tx, [...new Set(taken.map((one) => one.event_id))]) : []
        return { suspended, isMore, leased, wanted, taken, events }
      })
      .catch((error: unknown) => {
        this.#attempted.unshift(...recorded)
        throw error
      })
    if (done.isMore) this.#isToldOf = true
    for (const details of done.suspended) log.warn(details, 'a webhook subscription was suspended; verify it')
    this.#lanes.letGo(recorded)
    this.#lanes.put(done.wanted, done.taken, done.events)
    for (const id of done.leased ?? []) this.#leasedAt.set(id, startedAt)
    for (const lane of this.#lanes.all()) this.#start(lane)
  }

  async #isWorthARound(): Promise<boolean> {
    if (this.#attempted.length > 0 || this.#lanes.open.length > 0) return true
    return isAnythingDue(this.#options.database.read, this.#processId, Date.now())
  }

  /** Has every lane go on as its subscription is now, or not at all. */
  async #refresh(): Promise<void> {
    const { database, sealer } = this.#options
    const { open } = this.#lanes
    if (open.length === 0) return
    const rows = await listActiveSubscriptions(database.read, open)
    this.#lanes.refresh(
      open,
      rows.map((row) => endpointOf(sealer, row)),
    )
  }

  /** Leases the subscriptions for which something is due, and those anew that are at work; those that others have are left to them. */
  async #leaseDue(tx: Tx): Promise<string[]> {
    const due = await listDueSubscriptions(tx, this.#processId, Date.now())
    for (const [id, at] of this.#leasedAt) if (performance.now() - at > leaseMillis) this.#leasedAt.delete(id)
    const isFresh = (id: string) => performance.now() - (this.#leasedAt.get(id) ?? -leaseMillis) < renewEveryMillis
    const working = this.#lanes.all().map(({ endpoint }) => ({ id: endpoint.id, tenant_id: endpoint.tenantId }))
    const wanted = [...new Map([...working, ...due].map((one) => [one.id, one])).values()]
    const asked = wanted.filter(({ id }) => !isFresh(id))
    const leased = await lease(tx, this.#processId, asked, leaseMillis)
    const lost = new Set(asked.map(({ id }) => id).filter((id) => !leased.includes(id)))
    this.#lanes.shut([...lost])
    for (const row of due) if (!lost.has(row.id)) this.#lanes.heat(endpointOf(this.#options.sealer, row))
    return leased
  }

  /** Starts what may be of a lane. */
  #start(lane: OpenLane): void {
    const leasedAt = this.#leasedAt.get(lane.endpoint.id) ?? Number.NEGATIVE_INFINITY
    while (!this.#stopping.signal.aborted && performance.now() - leasedAt < lastStartMillis) {
      const held = lane.next()
      if (!held) return
      lane.underWay++
      this.#underWay++
      send(this.#options, lane.endpoint, held, this.#cutting.signal).then(
        (attempted) => this.#finish(lane, attempted),
        (error: unknown) => {
          this.#options.log.error(error, 'a delivery could not be sent; it is tried again')
          lane.inHand.delete(held.delivery.id)
          this.#finish(lane, undefined)
        },
      )
    }
  }

  #finish(lane: OpenLane, attempted: Attempted | undefined): void {
    lane.underWay--
    this.#underWay--
    if (attempted) {
      this.#attempted.push(attempted)
      this.#options.observe(attempted.outcome, attempted.row.latency_millis)
      lane.learn(attempted.outcome === 'delivered')
      const next = attempted.standing.next_attempt_at
      if (next !== null) this.#tellAt(next - lane.endpoint.clockOffset)
    }
    this.#start(lane)
    this.#lanes.closeIfIdle(lane)
    this.#rouse()
  }

  /** Is told of what is due at an instant of real time, soon after it. */
  #tellAt(at: number): void {
    const tick = Math.ceil((at + 1) / retryTickMillis)
    if (this.#ticks.size >= mostTicks || this.#ticks.has(tick)) return
    this.#ticks.add(tick)
    setTimeout(
      () => {
        this.#ticks.delete(tick)
        this.#tell()
      },
      Math.max(1, tick * retryTickMillis - Date.now()),
    ).unref()
  }
}
