import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '../../kit/ids.ts'
import { purgeDeliveries } from '../deliveries/retention.ts'
import type { EventRow } from '../signing/envelope.ts'
import { suspendSubscription, unsealedSecrets } from '../subscriptions/store.ts'
import type { Attempted } from './attempt.ts'
import { endpointOf } from './endpoint.ts'
import { fanOut } from './fanning-out.ts'
import { Lanes, type OpenLane } from './lanes.ts'
import { Loop } from './loop.ts'
import { recordAttempts } from './recording.ts'
import { refusalTeller } from './refusals.ts'
import { type SenderOptions, send } from './sender.ts'
import {
  type DueSubscription,
  endLeases,
  findDue,
  findEvents,
  isAnythingDueOf,
  isAnythingToHandOut,
  lease,
  leaseMillis,
  listDueSubscriptions,
  lockSubscriptions,
} from './store.ts'

export interface DispatcherOptions extends SenderOptions {
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
/**
 * How long attempts that ended are gathered while others are about to end, and how many at most: each time they are recorded is
 * a write to the disk. An endpoint that takes longer than most do is not waited for.
 */
const gatherMillis = 25
const usualMillis = 100
const mostGathered = 512
const pauseAfterFailureMillis = 1000
/** How often a subscription is leased anew; nothing is started in the last second of a lease. */
const renewEveryMillis = 1500
const lastStartMillis = leaseMillis - 1000
const purgeEveryMillis = 60_000
/** Less than is left of any lease then, as none is renewed. */
const patienceAtStopMillis = 4000
/** Ten attempts that all run out of time are over by then. */
const mostToSettleMillis = 600_000
const settlePauseMillis = 10
/** Retries that become due this close together are looked for together: each look asks the database what is due. */
const retryTickMillis = 50
/** How many such moments are waited for; the looking around finds what is due at others. */
const mostTicks = 1000

/**
 * Delivers events: hands each to the subscriptions that want it, leases subscriptions for which something is due, sends that,
 * and records what came of it. Who looks for what is due waits neither for what is being sent nor for what is being recorded.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions
  readonly #processId = newId()
  readonly #lanes = new Lanes()
  /** When each subscription was last leased to this process. */
  readonly #leasedAt = new Map<string, number>()
  readonly #stopping = new AbortController()
  readonly #cutting = new AbortController()
  readonly #tellRefusal: ReturnType<typeof refusalTeller>
  readonly #endings: (() => unknown)[]
  readonly #looking: Loop
  readonly #recording: Loop
  /** What ended and is not recorded yet, and since when. */
  #attempted: Attempted[] = []
  #gatheringSince = 0
  /** The moments at which retries are looked for, by their number. */
  readonly #ticks = new Set<number>()
  #underWay = 0
  /** How many of those under way may well end soon. */
  #awaited = 0
  /** Whether there may be events to hand out, whether something may be due, and whether a lane has room for more. */
  #mayHandOut = true
  #mayBeDue = true
  #isHungry = false
  /** What was suspended since it was last asked for what is due. */
  readonly #suspended = new Set<string>()
  #purging: Promise<void> = Promise.resolve()

  constructor(options: DispatcherOptions) {
    this.#options = options
    this.#tellRefusal = refusalTeller((details, message) => options.log.warn(details, message))
    const { signal } = this.#stopping
    const failed = (message: string) => (error: unknown) => {
      options.log.error(error, message)
      this.#mayHandOut = true
      this.#mayBeDue = true
      return sleep(pauseAfterFailureMillis, undefined, { signal }).catch(() => undefined)
    }
    this.#looking = new Loop({
      waitMillis: () => (this.#mayBeDue || this.#isHungry ? 0 : Number.POSITIVE_INFINITY),
      work: () => this.#look(),
      failed: failed('deliveries were not looked after; it is tried again'),
      signal,
    })
    this.#recording = new Loop({
      waitMillis: () => this.#millisToRecording(),
      work: () => this.#record(),
      failed: failed('attempts were not recorded; it is tried again'),
      signal,
    })
    const polling = setInterval(() => this.#tell(), pollMillis).unref()
    const purging = setInterval(() => void this.#purge(), purgeEveryMillis).unref()
    const stopHeeding = options.database.heed(() => {
      this.#mayHandOut = true
      this.#tell()
    })
    this.#endings = [() => clearInterval(polling), () => clearInterval(purging), stopHeeding]
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
    this.#looking.rouse()
    this.#recording.rouse()
    await Promise.all(this.#endings.map((end) => end()))
    await Promise.all([this.#looking.ended, this.#recording.ended, this.#purging])
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
    this.#mayBeDue = true
    this.#looking.rouse()
  }

  #purge(): Promise<void> {
    this.#purging = this.#purging
      .then(() => purgeDeliveries(this.#options.database, this.#stopping.signal))
      .catch((error: unknown) => this.#options.log.error(error, 'old deliveries were not forgotten; it is tried again'))
    return this.#purging
  }

  /** Not at all while nothing ended; at once when many attempts did, or all of them; else a moment after the first did. */
  #millisToRecording(): number {
    if (this.#attempted.length === 0) return Number.POSITIVE_INFINITY
    if (this.#awaited === 0 || this.#attempted.length >= mostGathered) return 0
    return this.#gatheringSince + gatherMillis - performance.now()
  }

  /** One transaction: what came of attempts. */
  async #record(): Promise<void> {
    const { database, log } = this.#options
    const recorded = this.#attempted
    this.#attempted = []
    const suspended = await database
      .transact((tx) => recordAttempts(tx, recorded))
      .catch((error: unknown) => {
        this.#attempted.unshift(...recorded)
        throw error
      })
    for (const { isNew, ...details } of suspended) {
      if (isNew) log.warn(details, 'a webhook subscription was suspended; verify it')
      this.#suspended.add(details.id)
    }
    this.#lanes.shut(suspended.map(({ id }) => id))
    this.#lanes.letGo(recorded)
    this.#isHungry ||= this.#lanes.all().some((lane) => lane.isHungry)
    this.#looking.rouse()
  }

  /** Hands out events, leases what they are due for, and takes in hand what there is room for. */
  async #look(): Promise<void> {
    const { read } = this.#options.database
    this.#isHungry = false
    let handed: EventRow[] = []
    if (this.#mayBeDue) {
      this.#mayBeDue = false
      handed = await this.#handOut()
      await this.#leaseDue()
    }
    const wanted = this.#lanes.wanted(Date.now())
    const taken = await findDue(read, wanted)
    const told = new Set(taken.map((one) => one.event_id))
    const known = handed.filter(({ id }) => told.delete(id))
    const found = told.size > 0 ? await findEvents(read, [...told]) : []
    this.#lanes.put(wanted, taken, [...known, ...found])
    for (const lane of this.#lanes.all()) this.#start(lane)
  }

  /** One transaction: hands out a good part of the events there are; answers which. */
  async #handOut(): Promise<EventRow[]> {
    const { database } = this.#options
    const isTold = this.#mayHandOut
    this.#mayHandOut = false
    if (!isTold && !(await isAnythingToHandOut(database.read))) return []
    const { handed, isMore } = await database.transact((tx) => fanOut(tx))
    if (isMore) {
      this.#mayHandOut = true
      this.#mayBeDue = true
    }
    return handed
  }

  /**
   * Leases the subscriptions for which something is due, those anew that are at work, and has their lanes go on as they are
   * now. Those for which nothing is due any more, that are not active or that others have are left alone.
   */
  async #leaseDue(): Promise<void> {
    const { database, sealer } = this.#options
    this.#suspended.clear()
    const due = await listDueSubscriptions(database.read, this.#processId, Date.now())
    const startedAt = performance.now()
    const since = (id: string) => startedAt - (this.#leasedAt.get(id) ?? Number.NEGATIVE_INFINITY)
    const isDue = new Set(due.map(({ id }) => id))
    // Of one whose lease is over, others may have sent what waits here.
    this.#lanes.shut(this.#lanes.open.filter((id) => !isDue.has(id) || since(id) > leaseMillis))
    const asked = [...isDue].some((id) => since(id) >= renewEveryMillis) ? [...isDue] : []
    const leased = asked.length === 0 ? [] : await database.transact((tx) => lease(tx, this.#processId, asked))
    for (const id of leased) this.#leasedAt.set(id, startedAt)
    for (const id of this.#leasedAt.keys()) if (since(id) > leaseMillis) this.#leasedAt.delete(id)
    for (const row of due)
      if (this.#leasedAt.has(row.id) && !this.#suspended.has(row.id)) {
        const endpoint = endpointOf(sealer, row)
        if (endpoint) this.#lanes.heat(endpoint)
        else await this.#suspendUnsealed(row)
      }
  }

  /** What cannot be signed is not sent, and holds up nobody else's: its secret is to be rotated first. */
  async #suspendUnsealed(row: DueSubscription): Promise<void> {
    const { database, log } = this.#options
    this.#lanes.shut([row.id])
    const { id, sealed_secrets, clock_offset } = row
    const isSuspended = await database.transact(async (tx) => {
      const [found] = await lockSubscriptions(tx, [id])
      // Unless it has others by now.
      return found?.sealed_secrets === sealed_secrets && suspendSubscription(tx, row, Date.now() + clock_offset)
    })
    if (isSuspended)
      log.warn(
        { id, because: unsealedSecrets },
        'a webhook subscription was suspended; rotate its secret and verify it',
      )
  }

  /** Starts what may be of a lane. */
  #start(lane: OpenLane): void {
    const leasedAt = this.#leasedAt.get(lane.endpoint.id) ?? Number.NEGATIVE_INFINITY
    while (!this.#stopping.signal.aborted && performance.now() - leasedAt < lastStartMillis) {
      const held = lane.next()
      if (!held) return
      lane.underWay++
      this.#underWay++
      const stopAwaiting = this.#await()
      send(this.#options, lane.endpoint, held, this.#cutting.signal).then(
        (attempted) => {
          stopAwaiting()
          this.#finish(lane, attempted)
        },
        (error: unknown) => {
          this.#options.log.error(error, 'a delivery could not be sent; it is tried again')
          stopAwaiting()
          lane.inHand.delete(held.delivery.id)
          this.#finish(lane, undefined)
        },
      )
    }
  }

  /** Counts an attempt among those that may end soon, until what it answers is called or it takes too long for that. */
  #await(): () => void {
    this.#awaited++
    let isAwaited = true
    const stop = () => {
      if (isAwaited) this.#awaited--
      isAwaited = false
    }
    const timer = setTimeout(() => {
      stop()
      this.#recording.rouse()
    }, usualMillis).unref()
    return () => {
      clearTimeout(timer)
      stop()
    }
  }

  #finish(lane: OpenLane, attempted: Attempted | undefined): void {
    lane.underWay--
    this.#underWay--
    if (attempted) {
      if (this.#attempted.length === 0) this.#gatheringSince = performance.now()
      this.#attempted.push(attempted)
      this.#tellRefusal(lane.endpoint, attempted)
      this.#options.observe(attempted.outcome, attempted.row.latency_millis)
      lane.learn(attempted.outcome === 'delivered')
      if (attempted.outcome === 'gone') this.#lanes.leave(lane)
      const next = attempted.standing.next_attempt_at
      if (next !== null) this.#tellAt(next - lane.endpoint.clockOffset)
    }
    this.#start(lane)
    this.#lanes.closeIfIdle(lane)
    this.#recording.rouse()
    // What could not even be sent is taken again with the next looking around.
    if (!attempted || !lane.isHungry) return
    this.#isHungry = true
    this.#looking.rouse()
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
