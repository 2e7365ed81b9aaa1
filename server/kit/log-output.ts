import { write, writeSync } from 'node:fs'

/** What waits to be written may grow to this many characters; lines beyond it are lost. */
const usualRoom = 4 * 1024 * 1024
/** As much as one write takes; a pipe's reader is handed whole lines this way. */
const chunkLength = 64 * 1024
const pauseWhenBusyMillis = 100
/** A write that takes longer has a reader that stands still, who would hold up the end of the process for good. */
const stuckMillis = 200
/** How long the end of the process leaves a write that is under way, which it cannot be told of, to be done first. */
const landingMillis = 20

/**
 * Lines for a file descriptor that may fail: a full disk, a terminal that was closed, a reader that stands still or went away.
 * A service goes on without its log, so nothing is thrown, and nobody waits; what could not be written is tried again with
 * the next line. (pino's own destination throws, and the process then hangs in its end.)
 */
export class LogOutput {
  readonly #descriptor: number
  readonly #room: number
  #waiting: string[] = []
  #waitingLength = 0
  #current = Buffer.alloc(0)
  #isWriting = false
  #writingSince = 0
  #isGone = false

  constructor(descriptor: number, room = usualRoom) {
    this.#descriptor = descriptor
    this.#room = room
  }

  write(line: string): void {
    if (this.#isGone) return
    if (this.#waitingLength + line.length <= this.#room) {
      this.#waiting.push(line)
      this.#waitingLength += line.length
    }
    if (!this.#isWriting) this.#writeOn()
  }

  /** Writes what still waits, as far as it can, before the process ends. */
  finish(): void {
    if (this.#isGone) return
    if (this.#isWriting) {
      if (performance.now() - this.#writingSince > stuckMillis) return
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, landingMillis)
      this.#current = Buffer.alloc(0)
    }
    try {
      while (this.#takeNext()) this.#current = this.#current.subarray(writeSync(this.#descriptor, this.#current))
    } catch {
      // There is no other place to say so.
    }
  }

  /** Whether there is something to write; it is in `#current` then. The rest of a line that was cut off comes first. */
  #takeNext(): boolean {
    if (this.#current.length > 0) return true
    if (this.#waiting.length === 0) return false
    let text = ''
    let taken = 0
    while (taken < this.#waiting.length && text.length < chunkLength) text += this.#waiting[taken++]
    this.#waiting = this.#waiting.slice(taken)
    this.#waitingLength -= text.length
    this.#current = Buffer.from(text)
    return true
  }

  #writeOn(): void {
    if (!this.#takeNext()) return
    this.#isWriting = true
    this.#writingSince = performance.now()
    write(this.#descriptor, this.#current, (error, written) => {
      this.#isWriting = false
      if (error?.code === 'EAGAIN') setTimeout(() => this.#isWriting || this.#writeOn(), pauseWhenBusyMillis).unref()
      else if (error?.code === 'EPIPE') this.#isGone = true
      else if (!error) {
        this.#current = this.#current.subarray(written)
        this.#writeOn()
      }
    })
  }
}

/** The log of this process, on stderr. */
export const stderrLog = new LogOutput(2)
process.once('exit', () => stderrLog.finish())
