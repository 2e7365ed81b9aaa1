import type { Dispatcher } from 'undici'
import { explainFailure, NamedFailure } from './failures.ts'
import type { Answered, Reply } from './outgoing.ts'

export interface OutgoingLimits {
  /** For everything: the name, the connection, the headers and the body of the answer. */
  totalMillis: number
  /** How much of an answer's body is read. */
  bodyBytes: number
}

/** How many interim answers (1xx) may come before the one that counts. */
const mostInterim = 20
const nothing = Buffer.alloc(0)

/** One request under way: gathers what comes back, and settles once, at the latest when its time is over. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #limits: OutgoingLimits
  readonly #settle: (reply: Reply) => void
  readonly #signal: AbortSignal | undefined
  readonly #startedAt = performance.now()
  readonly #timer: NodeJS.Timeout
  #controller: Dispatcher.DispatchController | undefined
  #isOver = false
  #interim = 0
  #status = 0
  #headers: Answered['headers'] = {}
  #pieces: Buffer[] = []
  #length = 0

  constructor(limits: OutgoingLimits, signal: AbortSignal | undefined, settle: (reply: Reply) => void) {
    this.#limits = limits
    this.#settle = settle
    this.#signal = signal
    this.#timer = setTimeout(runOut, limits.totalMillis, this)
    signal?.addEventListener('abort', this)
  }

  /** Whether the request is not to be sent any more. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** Called off by the signal. */
  handleEvent(): void {
    this.fail('the request was called off')
  }

  /** The time is over. */
  runOut(): void {
    const seconds = this.#limits.totalMillis / 1000
    this.fail(this.#controller ? `no answer within ${seconds} s` : 'the connection timed out')
  }

  fail(failure: string): void {
    this.#end({ failure, millis: this.#millis() })
    this.#drop()
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#isOver) this.#drop()
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: Answered['headers']): void {
    if (status < 200) {
      this.#interim += 1
      if (this.#interim > mostInterim) this.fail('too many interim answers')
      return
    }
    this.#status = status
    this.#headers = headers
  }

  onResponseData(_: Dispatcher.DispatchController, piece: Buffer): void {
    this.#pieces.push(piece)
    this.#length += piece.length
    if (this.#length <= this.#limits.bodyBytes) return
    this.#answer(true)
    this.#drop()
  }

  onResponseEnd(): void {
    this.#answer(false)
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#end({ failure: explainFailure(error), millis: this.#millis() })
  }

  #answer(isCut: boolean): void {
    const pieces = this.#pieces
    const whole = pieces.length > 1 ? Buffer.concat(pieces) : (pieces[0] ?? nothing)
    const body = isCut ? whole.subarray(0, this.#limits.bodyBytes) : whole
    this.#end({ status: this.#status, headers: this.#headers, body, isCut, millis: this.#millis() })
  }

  #end(reply: Reply): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#timer)
    this.#signal?.removeEventListener('abort', this)
    this.#settle(reply)
  }

  /** Lets go of the connection: what else comes on it is of no use. */
  #drop(): void {
    this.#controller?.abort(new NamedFailure('the request is over'))
  }

  #millis(): number {
    return Math.round(performance.now() - this.#startedAt)
  }
}

const runOut = (exchange: Exchange) => exchange.runOut()
