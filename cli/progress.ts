import { paint } from './colour.ts'
import { visible } from './visible-text.ts'

/** How long a phase runs before a terminal hears of it. */
const patienceMs = 500

/**
 * Does a phase of work and tells stderr of it: on a terminal a line that appears after half a second and goes when the
 * phase is over, otherwise one line when it begins.
 */
export async function duringPhase<Result>(label: string, work: () => Promise<Result>): Promise<Result> {
  const { stderr } = process
  const text = `${visible(label)}…`
  if (!stderr.isTTY) {
    stderr.write(`${text}\n`)
    return work()
  }
  let shown = false
  const begun = Date.now()
  const show = () => {
    shown = true
    stderr.write(`\r\u001b[K${text} ${paint(stderr).dim(`${Math.round((Date.now() - begun) / 1000)} s`)}`)
  }
  const patience = setTimeout(show, patienceMs)
  const ticking = setInterval(() => shown && show(), 1000)
  try {
    return await work()
  } finally {
    clearTimeout(patience)
    clearInterval(ticking)
    if (shown) stderr.write('\r\u001b[K')
  }
}
