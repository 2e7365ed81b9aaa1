import type { ScalarEvent } from 'js-yaml'
import { SCALAR_STYLE } from 'js-yaml'
import type { RefusalRule } from './refusals.ts'
import { resolvePlain } from './scalars.ts'

/** Why a scalar cannot be a mapping's key: it is no text, spans lines, merges, or is `__proto__`, which no object has as a key of its own. */
export function findKeyRefusal(
  source: string,
  event: ScalarEvent,
  text: string,
): { rule: RefusalRule; message: string } | undefined {
  if (event.style === SCALAR_STYLE.PLAIN) {
    if (text === '<<') return { rule: 'merge-key', message: 'Merge keys (<<) are not read; write the fields out.' }
    if (typeof resolvePlain(text) !== 'string') {
      const advice = text === '' ? 'give it a name' : `quote it: '${text}'`
      return { rule: 'non-string-key', message: `A key must be text, and this one is not; ${advice}.` }
    }
  }
  if (!event.fast && /[\r\n]/.test(source.slice(event.valueStart, event.valueEnd))) {
    return { rule: 'complex-key', message: 'A key must stand on one line; shorten it, or move the text to a value.' }
  }
  if (text === '__proto__') {
    return { rule: 'reserved-key', message: `The key "${text}" is reserved and never read; rename it.` }
  }
  return undefined
}
