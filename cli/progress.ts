import { paint } from './colour.ts'
import { fitText } from './fitting.ts'
import { visible } from './visible-text.ts'

/** How long a phase runs before a terminal hears of it, and how often then. */
const patienceMs = 500
const redrawMs = 100
/** How long work here runs, or will, before a log hears of it; waiting for a busy machine is no progress. */
const logPatienceMs = 3000
/** A step that cannot be interrupted is foreseen to be this long before a log hears of it. */
const longStepMs = 500

/** About how long steps take that do not let go, for those who wait. */
export const expectedMs = {
  toRead: (bytes: number) => bytes / 7000,
  toJudge: (items: number) => items / 12,
  toWrite: (files: number) => files * 2,
}

interface Phase {
  text: string
  begun: number
  isShown: boolean
  drawnAt: number
  /** `812 of 1429`, where it is known. */
  counts: string
}

let current: Phase | undefined

/**
 * Does a phase of work on a server and tells stderr of it: on a terminal a line that appears after half a second and
 * goes when the phase is over, otherwise one line when it begins.
 */
export async function duringPhase<Result>(label: string, work: () => Promise<Result>): Promise<Result> {
  return inPhase(label, true, work)
}

/**
 * Does a phase of work on this machine and tells stderr of it as duringPhase does; where stderr is no terminal, only
 * of what takes long. Work that does not let go tells of itself with tellProgress.
 */
export async function duringWork<Result>(label: string, work: () => Result | Promise<Result>): Promise<Result> {
  return inPhase(label, false, work)
}

/** Tells how far the phase under way is, and that its next step takes about so long without being interrupted. */
export function tellProgress(done: number, total: number, nextMs = 0): void {
  if (!current) return
  if (total > 1) current.counts = `${done} of ${total}`
  const elapsed = Date.now() - current.begun
  if (canRedraw()) {
    if (elapsed + nextMs >= patienceMs && (nextMs >= longStepMs || Date.now() - current.drawnAt >= redrawMs))
      draw(current)
  } else if (!current.isShown && (nextMs >= longStepMs || elapsed >= logPatienceMs)) log(current)
}

async function inPhase<Result>(label: string, isRemote: boolean, work: () => Result | Promise<Result>) {
  const phase: Phase = { text: `${visible(label)}…`, begun: Date.now(), isShown: false, drawnAt: 0, counts: '' }
  const outer = current
  current = phase
  if (!canRedraw() && isRemote) log(phase)
  const patience = canRedraw() ? setTimeout(() => draw(phase), patienceMs) : undefined
  const ticking = canRedraw() ? setInterval(() => phase.isShown && draw(phase), 1000) : undefined
  try {
    return await work()
  } finally {
    clearTimeout(patience)
    clearInterval(ticking)
    current = outer
    if (phase.isShown && canRedraw()) process.stderr.write('\r\u001b[K')
  }
}

const canRedraw = () => process.stderr.isTTY === true && process.env.TERM !== 'dumb'

function log(phase: Phase) {
  phase.isShown = true
  process.stderr.write(`${phase.text}\n`)
}

function draw(phase: Phase) {
  const { stderr } = process
  phase.isShown = true
  phase.drawnAt = Date.now()
  const said = [phase.text, phase.counts].filter(Boolean).join(' ')
  const seconds = Math.floor((phase.drawnAt - phase.begun) / 1000)
  const time = seconds === 0 ? '' : ` ${seconds} s`
  // A line that wraps could not be taken back.
  const room = Math.max(10, (stderr.columns || 80) - 1 - time.length)
  stderr.write(`\r\u001b[K${fitText(said, room)}${paint(stderr).dim(time)}`)
}
