import { Type } from 'typebox'
import { type Check, compileCheck } from '../../../catalog-schema/checker.ts'
import { numericPattern } from '../../../catalog-schema/numeric.ts'
import { NullableInstant, Text } from '../../../catalog-schema/scalars.ts'
import { asRounded, MalformedJson, parseStrictJson } from '../../../catalog-schema/strict-json.ts'
import type { Decimal } from '../../kit/decimal.ts'
import { fieldError, findExactly } from '../../kit/input.ts'
import { fromInstant } from '../../kit/instants.ts'
import { amountOf, amountRule } from '../consumption/amount.ts'
import { longestEventData } from './record.ts'

/** Usage that happened already; `occurredAt` in milliseconds. */
export interface Usage {
  readonly metricName: string
  readonly amount: Decimal
  readonly occurredAt: number
}

/** What an event says that somebody asks for: when it happened (milliseconds), and what was used. */
export interface Event {
  readonly occurredAt: number | null
  readonly usage: Usage | null
}

/** Why an event cannot be taken: what is wrong where. */
interface Unreadable {
  readonly pointer: string
  readonly message: string
}

/** The event of a feature that was used. */
export const featureUsed = 'FeatureUsed'

const occurredAt = Type.Optional(NullableInstant())

/** The events that are understood, by name; they may say more than what is asked for. */
const checks = new Map<string, Check>([
  ['UsageReported', compileCheck(Type.Object({ metricName: Text(200, { min: 1 }), occurredAt }))],
  [featureUsed, compileCheck(Type.Object({ featureCode: Text(200, { min: 1 }), occurredAt }))],
])

/** Reads an event. One that is not understood says nothing, but is JSON; one without a time of its own happened when it was noted. */
export function readEvent(eventName: string, eventData: string, createdAt: number | null): Event | Unreadable {
  const bytes = new TextEncoder().encode(eventData)
  if (bytes.length > longestEventData)
    return { pointer: '', message: `must be at most ${longestEventData} bytes of UTF-8` }
  let data: unknown
  try {
    data = parseStrictJson(bytes)
  } catch (error) {
    if (error instanceof MalformedJson) return { pointer: '', message: `must hold JSON, but ${error.message}` }
    throw error
  }
  const check = checks.get(eventName)
  if (!check) return { occurredAt: null, usage: null }
  const [finding] = findExactly((value) => check(value).map(fieldError), data, asRounded(data))
  if (finding) return finding
  const { occurredAt: told } = data as { occurredAt?: string | null }
  const at = fromInstant(told ?? null) ?? createdAt
  return eventName === 'UsageReported' ? readUsage(data as Reported, at) : { occurredAt: at, usage: null }
}

const numericText = new RegExp(numericPattern)

interface Reported {
  metricName: string
  amount?: unknown
}

function readUsage({ metricName, amount: written }: Reported, occurredAt: number | null): Event | Unreadable {
  const isNumeric = typeof written === 'number' || (typeof written === 'string' && numericText.test(written))
  const amount = isNumeric ? amountOf(written) : undefined
  if (!amount) return { pointer: '/amount', message: amountRule }
  if (occurredAt === null)
    return { pointer: '/occurredAt', message: 'must be given where the record has no creationDateTime' }
  return { occurredAt, usage: { metricName, amount, occurredAt } }
}
