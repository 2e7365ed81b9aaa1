import type { DeliveryRow } from '../deliveries/pending.ts'
import { type EventRow, envelopeOf } from '../signing/envelope.ts'
import type { Endpoint } from './endpoint.ts'
import { Lane } from './lane.ts'
import type { Held } from './sender.ts'
import type { Wanted } from './store.ts'

export type OpenLane = Lane<Endpoint, Held>

/** Every lane that a process has open, by subscription. */
export class Lanes {
  readonly #open = new Map<string, OpenLane>()
  /** The deliveries that this process has taken and not recorded yet. */
  readonly inHand = new Set<string>()

  /** Opens the lane of an endpoint for which deliveries are due, or has it go on as the endpoint is now. */
  heat(endpoint: Endpoint): void {
    const lane = this.#open.get(endpoint.id)
    if (lane) Object.assign(lane, { endpoint, isHot: true })
    else this.#open.set(endpoint.id, new Lane(endpoint))
  }

  /** The subscriptions that deliveries wait for in hand. */
  get waitingFor(): string[] {
    return [...this.#open].filter(([, lane]) => lane.waiting.length > 0).map(([id]) => id)
  }

  /** Has lanes go on as their endpoints are now; of those that are none any more what waits is put down, and answered. */
  refresh(waitingFor: readonly string[], endpoints: readonly Endpoint[]): string[] {
    const active = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]))
    return waitingFor.flatMap((id) => {
      const lane = this.#open.get(id)
      const endpoint = active.get(id)
      if (!lane) return []
      if (!endpoint) return this.#putDown(lane)
      lane.endpoint = endpoint
      return []
    })
  }

  /** Puts down all that waits: others have it now. */
  putDownAll(): void {
    for (const lane of this.#open.values()) this.#putDown(lane)
  }

  #putDown(lane: OpenLane): string[] {
    const ids = lane.waiting.map(({ delivery }) => delivery.id)
    lane.waiting = []
    for (const id of ids) this.inHand.delete(id)
    return ids
  }

  /** What to take next, due by `realNow` on each tenant's clock. */
  wanted(realNow: number): Wanted[] {
    return [...this.#open].flatMap(([subscription_id, lane]) => {
      const room = lane.isHot ? lane.roomFor(this.inHand.size) : 0
      return room === 0 ? [] : [{ subscription_id, room, due: realNow + lane.endpoint.clockOffset }]
    })
  }

  /** Puts what was taken into its lanes; answers those in which something may be started. */
  put(wanted: readonly Wanted[], taken: readonly DeliveryRow[], events: readonly EventRow[]): OpenLane[] {
    const bodies = new Map(events.map((event) => [event.id, envelopeOf(event)]))
    const bySubscription = Map.groupBy(taken, (delivery) => delivery.subscription_id)
    return wanted.flatMap(({ subscription_id, room }) => {
      const lane = this.#open.get(subscription_id)!
      const deliveries = bySubscription.get(subscription_id) ?? []
      lane.isHot = deliveries.length === room
      for (const delivery of deliveries) {
        this.inHand.add(delivery.id)
        lane.waiting.push({ delivery, body: bodies.get(delivery.event_id)! })
      }
      if (!lane.isHot && lane.waiting.length + lane.underWay === 0) this.#open.delete(subscription_id)
      return deliveries.length > 0 ? [lane] : []
    })
  }

  /** Closes a lane in which nothing is left. */
  closeIfIdle(lane: OpenLane): void {
    if (!lane.isHot && lane.waiting.length + lane.underWay === 0) this.#open.delete(lane.endpoint.id)
  }
}
