import type { Reply } from '../../kit/outgoing/outgoing.ts'

/** What came of an attempt: the endpoint took it, may take it later, will not take it, or wants nothing more at all. */
export type Verdict =
  | { outcome: 'delivered' }
  | { outcome: 'failed'; error: string; askedMillis: number }
  | { outcome: 'refused' | 'gone'; error: string }

/** What an endpoint's reply says of the delivery: 2xx took it; 5xx, 408, 429 or no answer may be tried again; anything else is final. */
export function judgeReply(reply: Reply, realNow: number): Verdict {
  if ('failure' in reply) return { outcome: 'failed', error: reply.failure, askedMillis: 0 }
  const { status } = reply
  const error = `the endpoint answered ${status}`
  if (status >= 200 && status < 300) return { outcome: 'delivered' }
  if (status === 429 || status === 503)
    return { outcome: 'failed', error, askedMillis: readRetryAfter(reply.headers['retry-after'], realNow) }
  if (status >= 500 || status === 408) return { outcome: 'failed', error, askedMillis: 0 }
  return { outcome: status === 410 ? 'gone' : 'refused', error }
}

/** The three forms of a date (RFC 9110 §5.6.7): IMF-fixdate, and the two that are obsolete and are to be understood. */
const httpDates = [
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/,
  /^(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, \d\d-[A-Z][a-z]{2}-\d\d \d\d:\d\d:\d\d GMT$/,
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/,
]

/** How long a Retry-After header asks to wait (RFC 9110 §10.2.3): seconds, or a date; nothing when it is neither. */
function readRetryAfter(given: string | string[] | undefined, realNow: number): number {
  const text = (Array.isArray(given) ? (given[0] ?? '') : (given ?? '')).trim()
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  // The last form names no zone, and means this one.
  const at = httpDates.some((form) => form.test(text)) ? Date.parse(text.replace(/( GMT)?$/, ' GMT')) : Number.NaN
  return at > realNow ? at - realNow : 0
}
