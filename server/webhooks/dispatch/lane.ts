/** The most that is under way to one endpoint, and in hand in all, and how many are taken ahead for each that may be under way. */
const widestWindow = 32
const takenAhead = 16
const mostInAll = 8192

/**
 * What a process has in hand for one subscription. Its window, how many attempts may be under way at once, widens with
 * each success and narrows with each failure: an endpoint that is slow or dead has one, and holds up nobody but itself.
 */
export class Lane<Endpoint, Held> {
  /** Where its deliveries go, as its subscription says now. */
  endpoint: Endpoint
  /** Whether more may be due than was taken. */
  isHot = true
  /** Whether its endpoint said that it is gone, which is not recorded yet. */
  isGone = false
  /** The deliveries that were taken and are not recorded yet. */
  readonly inHand = new Set<string>()
  waiting: Held[] = []
  underWay = 0
  #window = 1

  constructor(endpoint: Endpoint) {
    this.endpoint = endpoint
  }

  /** How many more to take, while so many are in hand of all lanes together: at least one in hand, so that no lane waits for others. */
  roomFor(inHandOfAll: number): number {
    const most = inHandOfAll < mostInAll ? this.#window * takenAhead : 1
    return Math.max(0, most - this.waiting.length - this.underWay)
  }

  /** Whether more may be due and half of what is taken ahead is gone. */
  get isHungry(): boolean {
    return this.isHot && this.waiting.length + this.underWay < (this.#window * takenAhead) / 2
  }

  /** Takes out what may be started now. */
  next(): Held | undefined {
    return this.underWay < this.#window ? this.waiting.shift() : undefined
  }

  /** Learns from what came of an attempt. */
  learn(isDelivered: boolean): void {
    this.#window = isDelivered ? Math.min(widestWindow, this.#window + 1) : Math.max(1, this.#window >> 1)
  }
}
