import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '../../kit/ids.ts'
import { purgeDeliveries } from '../deliveries/retention.ts'
import type { Attempted } from './attempt.ts'
import { endpointOf } from './endpoint.ts'
import { fanOut } from './fanning-out.ts'
import { Lanes, type OpenLane } from './lanes.ts'
import { recordAttempts } from './recording.ts'
import { type Sending, send } from './sender.ts'
import {
  claim,
  findEvents,
  isAnythingDue,
  isAnythingDueOf,
  listActiveSubscriptions,
  listDueSubscriptions,
  release,
  releaseAllBut,
  releaseOfTheGone,
  sayAlive,
  sayGone,
} from './store.ts'

export interface DispatcherOptions extends Sending {
  /** Now on a tenant's clock. */
  nowOf: (tenantId: string) => Promise<number>
  log: {
    warn: (details: object, message: string) => void
    error: (error: unknown, message: string) => void
  }
}

/** How often it looks for what nobody told it of. */
const pollMillis = 1000
/** How long attempts that ended are gathered before they are recorded, and how many at most. */
const gatherMillis = 5
const mostGathered = 256
const pauseAfterFailureMillis = 1000
/** A process that has not been heard of for so long is gone. */
const leaseMillis = 6000
const sayAliveEveryMillis = 1500
const purgeEveryMillis = 60_000
const patienceAtStopMillis = 5000
const mostToSettleMillis = 300_000
const settlePauseMillis = 10
/** How many retries are waited for by a timer each; the looking around finds the others. */
const mostTimers = 1000

/**
 * Delivers events: hands each to the subscriptions that want it, takes what is due in hand under a lease, sends it, and
 * records what came of it. Each round of that is one transaction, and what is being sent never waits for it.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions
  readonly #processId = newId()
  readonly #lanes = new Lanes()
  readonly #stopping = new AbortController()
  readonly #cutting = new AbortController()
  readonly #endings: (() => unknown)[]
  readonly #running: Promise<void>
  #attempted: Attempted[] = []
  #timers = 0
  #underWay = 0
  #saidAliveAt = Number.NEGATIVE_INFINITY
  /** Whether there may be something to find. */
  #isToldOf = true
  /** Whether a round failed, so that it is not known what this process has in hand by the database. */
  #isUnsure = false
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

  /** Waits until what is due of a tenant's deliveries by now was tried and what is old was forgotten, for five minutes at most. */
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
    if (this.#saidAliveAt === Number.NEGATIVE_INFINITY) return
    await this.#options.database.transact(async (tx) => {
      await recordAttempts(tx, this.#processId, this.#attempted)
      await release(tx, this.#processId)
      await sayGone(tx, this.#processId)
    })
  }

  #tell(): void {
    this.#isToldOf = true
    this.#rouse()
  }

  #purge(): Promise<void> {
    this.#purging = this.#purging
      .then(() => purgeDeliveries(this.#options.database))
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
        this.#isToldOf = this.#isUnsure = true
        await sleep(pauseAfterFailureMillis, undefined, { signal: this.#stopping.signal }).catch(() => undefined)
      }
    }
  }

  /** Until it is told of something; or attempts ended a moment ago, or many. */
  async #somethingToDo(): Promise<void> {
    while (!this.#isToldOf && !this.#stopping.signal.aborted) {
      if (this.#attempted.length >= mostGathered) return
      const isGathering = this.#attempted.length > 0
      const roused = new Promise<'roused'>((resolve) => {
        this.#rouse = () => resolve('roused')
      })
      if (!isGathering) await roused
      else if ((await Promise.race([roused, sleep(gatherMillis, 'gathered', { ref: false })])) === 'gathered') return
    }
  }

  /** One transaction: what came of attempts is recorded, events are handed out, and what is due is taken in hand. */
  async #round(): Promise<void> {
    const { database, sealer, log } = this.#options
    const isLooking = this.#isToldOf
    this.#isToldOf = false
    const endpointsOf = (rows: Parameters<typeof endpointOf>[1][]) => rows.map((row) => endpointOf(sealer, row))
    let putDown: string[] = []
    if (isLooking) {
      if (!this.#isBusy() && !(await isAnythingDue(database.read, Date.now()))) return
      const waitingFor = this.#lanes.waitingFor
      if (waitingFor.length > 0)
        putDown = this.#lanes.refresh(waitingFor, endpointsOf(await listActiveSubscriptions(database.read, waitingFor)))
    }
    const recorded = this.#attempted
    this.#attempted = []
    const { inHand } = this.#lanes
    const done = await database
      .transact(async (tx) => {
        const suspended = await recordAttempts(tx, this.#processId, recorded)
        if (putDown.length > 0) await release(tx, this.#processId, putDown)
        if (this.#isUnsure) await releaseAllBut(tx, this.#processId, [...inHand])
        let isMore = false
        if (isLooking) {
          await releaseOfTheGone(tx, inHand.size > 0 ? this.#processId : '')
          isMore = await fanOut(tx, Date.now())
          for (const endpoint of endpointsOf(await listDueSubscriptions(tx, Date.now()))) this.#lanes.heat(endpoint)
        }
        for (const { standing } of recorded) inHand.delete(standing.id)
        const wanted = this.#lanes.wanted(Date.now())
        const isKnown = inHand.size + wanted.length === 0 || (await this.#sayAlive(tx))
        const taken = await claim(tx, this.#processId, wanted)
        const events = taken.length > 0 ? await findEvents(tx, [...new Set(taken.map((one) => one.event_id))]) : []
        return { suspended, isMore, isKnown, wanted, taken, events }
      })
      .catch((error: unknown) => {
        for (const { standing } of recorded) inHand.add(standing.id)
        this.#attempted.unshift(...recorded)
        throw error
      })
    this.#isUnsure = false
    if (!done.isKnown) this.#lanes.putDownAll()
    if (done.isMore) this.#isToldOf = true
    for (const details of done.suspended) log.warn(details, 'a webhook subscription was suspended; verify it')
    for (const lane of this.#lanes.put(done.wanted, done.taken, done.events)) this.#start(lane)
  }

  #isBusy = () => this.#attempted.length > 0 || this.#lanes.inHand.size > 0 || this.#isUnsure

  /** Says now and then that this process is alive; answers false when it was thought gone, and others have what it had in hand. */
  async #sayAlive(tx: Parameters<typeof sayAlive>[0]): Promise<boolean> {
    const now = performance.now()
    if (now - this.#saidAliveAt < sayAliveEveryMillis) return true
    const isFirst = this.#lanes.inHand.size === 0
    const wasAlive = await sayAlive(tx, this.#processId, leaseMillis)
    this.#saidAliveAt = now
    return wasAlive || isFirst
  }

  /** Starts what may be of a lane. */
  #start(lane: OpenLane): void {
    while (!this.#stopping.signal.aborted) {
      const held = lane.next()
      if (!held) return
      lane.underWay++
      this.#underWay++
      send(this.#options, lane.endpoint, held, this.#cutting.signal).then(
        (attempted) => this.#finish(lane, attempted),
        (error: unknown) => {
          this.#options.log.error(error, 'a delivery could not be sent; it is tried again')
          this.#lanes.inHand.delete(held.delivery.id)
          this.#isUnsure = true
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
      lane.learn(attempted.outcome === 'delivered')
      const next = attempted.standing.next_attempt_at
      if (next !== null) this.#tellAt(next - lane.endpoint.clockOffset)
    }
    this.#start(lane)
    this.#lanes.closeIfIdle(lane)
    this.#rouse()
  }

  /** Is told of what is due at an instant of real time. */
  #tellAt(at: number): void {
    if (this.#timers >= mostTimers) return
    this.#timers++
    setTimeout(
      () => {
        this.#timers--
        this.#tell()
      },
      Math.max(1, at - Date.now() + 1),
    ).unref()
  }
}
