import type { DeliveryRow } from '../deliveries/pending.ts'
import { type EventRow, envelopeOf } from '../signing/envelope.ts'
import type { Attempted } from './attempt.ts'
import type { Endpoint } from './endpoint.ts'
import { Lane } from './lane.ts'
import type { Held } from './sender.ts'
import type { Wanted } from './store.ts'

export type OpenLane = Lane<Endpoint, Held>

/** Every lane that a process has open, by subscription. */
export class Lanes {
  readonly #open = new Map<string, OpenLane>()

  /** The subscriptions that have a lane. */
  get open(): string[] {
    return [...this.#open.keys()]
  }

  /** Every lane. */
  all(): OpenLane[] {
    return [...this.#open.values()]
  }

  #inHand(): number {
    let count = 0
    for (const lane of this.#open.values()) count += lane.inHand.size
    return count
  }

  /** Opens the lane of an endpoint for which deliveries are due, or has it go on as the endpoint is now. */
  heat(endpoint: Endpoint): void {
    const lane = this.#open.get(endpoint.id)
    if (lane) Object.assign(lane, { endpoint, isHot: !lane.isGone })
    else this.#open.set(endpoint.id, new Lane(endpoint))
  }

  /** Starts nothing more in these lanes; what waits in them is left to whoever looks next. */
  shut(ids: readonly string[]): void {
    for (const id of ids) {
      const lane = this.#open.get(id)
      if (!lane) continue
      for (const { delivery } of lane.waiting) lane.inHand.delete(delivery.id)
      Object.assign(lane, { waiting: [], isHot: false })
      this.closeIfIdle(lane)
    }
  }

  /** Starts nothing more in a lane whose endpoint is gone, and keeps it so until that is recorded. */
  leave(lane: OpenLane): void {
    lane.isGone = true
    this.shut([lane.endpoint.id])
  }

  /** What to take next, due by `realNow` on each tenant's clock. */
  wanted(realNow: number): Wanted[] {
    const inHandOfAll = this.#inHand()
    return [...this.#open].flatMap(([subscription_id, lane]) => {
      const room = lane.isHot ? lane.roomFor(inHandOfAll) : 0
      if (room === 0) return []
      return [{ subscription_id, room, due: realNow + lane.endpoint.clockOffset, held: [...lane.inHand] }]
    })
  }

  /** Lets go of what was recorded. */
  letGo(recorded: readonly Attempted[]): void {
    for (const { subscriptionId, standing, outcome } of recorded) {
      const lane = this.#open.get(subscriptionId)
      if (!lane) continue
      lane.inHand.delete(standing.id)
      // Its subscription says it from now on, until it is verified again.
      if (outcome === 'gone') lane.isGone = false
      this.closeIfIdle(lane)
    }
  }

  /** Puts what was taken into its lanes. */
  put(wanted: readonly Wanted[], taken: readonly DeliveryRow[], events: readonly EventRow[]): void {
    const bodies = new Map(events.map((event) => [event.id, envelopeOf(event)]))
    const bySubscription = Map.groupBy(taken, (delivery) => delivery.subscription_id)
    for (const { subscription_id, room } of wanted) {
      const lane = this.#open.get(subscription_id)
      // It was shut meanwhile.
      if (!lane?.isHot) continue
      const deliveries = bySubscription.get(subscription_id) ?? []
      lane.isHot = deliveries.length === room
      for (const delivery of deliveries) {
        lane.inHand.add(delivery.id)
        lane.waiting.push({ delivery, body: bodies.get(delivery.event_id)! })
      }
      this.closeIfIdle(lane)
    }
  }

  /** Closes a lane in which nothing is left. */
  closeIfIdle(lane: OpenLane): void {
    if (!lane.isHot && lane.inHand.size === 0) this.#open.delete(lane.endpoint.id)
  }
}
