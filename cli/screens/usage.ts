import { counted } from '../counting.ts'
import { numberText } from '../exact-numbers.ts'
import { inputName } from '../input-files.ts'
import { placeWords } from '../metering/transaction-records.ts'
import type { Decision, LedgerEntry } from '../tasks/tenant-records.ts'
import type { Uploaded } from '../tasks/upload-usage.ts'
import type { ShownMeter } from '../tasks/usage.ts'
import { instantWords, relativeWords } from '../time-words.ts'
import { visible } from '../visible-text.ts'
import type { Canvas } from './canvas.ts'
import { factLines } from './license.ts'
import { stackedTable } from './stacking.ts'

/** Meters, one a row: what is used of what, and when it starts anew; on a terminal with a bar. `now` in milliseconds. */
export function meterLines(meters: readonly ShownMeter[], now: number, canvas: Canvas): string[] {
  const hasBars = Number.isFinite(canvas.width)
  const rows = meters.map((meter) => {
    const { metric, unit, usage, limit, remaining, periodEnd } = meter.usage
    const level = levelWords(meter, now)
    const period = periodWords(meter)
    const resets = periodEnd === null ? null : relativeWords(Date.parse(periodEnd), now)
    const bar = barOf(usage, limit)
    return {
      cells: [
        metric,
        cell(usage),
        unit,
        cell(limit),
        cell(remaining),
        ...(hasBars ? [bar] : []),
        level,
        period,
        resets,
      ],
      head: bar === '' ? metric : `${metric}  ${bar}`,
      below: [
        `${numberText(usage)}${limit === null ? '' : ` of ${numberText(limit)}`}${unit === null ? '' : ` ${unit}`} used`,
        remaining === null ? null : `${numberText(remaining)} remain`,
        level,
        period,
        resets === null ? null : `starts anew ${resets}`,
      ],
    }
  })
  const headings = [
    'METRIC',
    'USED',
    'UNIT',
    'LIMIT',
    'REMAINING',
    ...(hasBars ? [''] : []),
    'LEVEL',
    'PERIOD',
    'RESETS',
  ]
  return stackedTable(headings, rows, canvas)
}

/** A number that a double holds, as such: a column of them stands right. */
const cell = (value: number | null) => (typeof value === 'object' ? value && numberText(value) : value)

function levelWords({ usage, consumption }: ShownMeter, now: number): string {
  const { quotaUsageLevel, suspendedUntilAt } = usage
  const isSuspended = suspendedUntilAt !== null && Date.parse(suspendedUntilAt) > now
  return [
    quotaUsageLevel,
    isSuspended ? `suspended until ${suspendedUntilAt.slice(0, 10)}` : null,
    'unfundedCredits' in consumption && consumption.unfundedCredits !== 0
      ? `${numberText(consumption.unfundedCredits)} unfunded`
      : null,
  ]
    .filter((words) => words !== null)
    .join(', ')
}

function periodWords({ usage, consumption }: ShownMeter): string {
  if ('isUnlimitedCredits' in consumption) {
    const { isUnlimitedCredits, lastDeposit } = consumption
    return `balance${isUnlimitedCredits ? ', unlimited' : ''}${lastDeposit ? ` since ${lastDeposit.slice(0, 10)}` : ''}`
  }
  const { periodStart, periodEnd } = usage
  return periodStart === null || periodEnd === null ? 'lifetime' : `${dayOf(periodStart)} to ${dayOf(periodEnd)}`
}

/** An instant to the minute, or the day that it begins. */
const dayOf = (instant: string) => instant.replace(/T00:00:00.*|:\d\d(\.\d+)?Z$/, '')

const barLength = 12

/** How much of a limit is used, drawn; nothing where there is none. */
function barOf(usage: number, limit: number | null): string {
  if (limit === null) return ''
  const [used, all] = [Number(numberText(usage)), Number(numberText(limit))]
  const share = all > 0 ? Math.min(1, Math.max(0, used / all)) : 1
  // Neither empty nor full unless it is so.
  const filled = share === 1 ? barLength : Math.min(barLength - 1, Math.ceil(share * (barLength - 1)))
  return `${'█'.repeat(filled)}${'░'.repeat(barLength - filled)} ${Math.floor(share * 100)} %`
}

const refusals: Record<string, string> = {
  denied: 'it would pass the limit',
  insufficient_credits: 'the balance cannot pay for it',
  balance_blocked: 'the balance is so low that it is blocked',
  suspended: 'the metric is suspended',
  rate_limited: 'it was called a moment ago, and this tier limits the rate',
}

/** A decision, with why not and when to try again where it was refused; of a question where nothing was consumed. */
export function decisionLines(decision: Decision, isQuestion: boolean, now: number): string[] {
  const { allowed, reason, amount, metric, limit, remaining, retryAfterSeconds, decidedAt } = decision
  const asked = `${numberText(amount)} of ${metric}`
  const outcome = allowed
    ? `${isQuestion ? 'Could consume' : 'Consumed'} ${asked}.`
    : `REFUSED  ${asked}: ${refusals[reason ?? ''] ?? 'refused'} (${reason}).`
  // A decision that is told again was made a while ago: the time to wait began then.
  const retry = retryAfterSeconds === null ? null : instantWords(Date.parse(decidedAt) + retryAfterSeconds * 1000, now)
  const { chargedCredits, fundingBalanceMetric, fundingBalanceRemaining } = decision
  return [
    visible(outcome),
    ...factLines([
      ['used', `${numberText(decision.usage)}${limit === null ? '' : ` of ${numberText(limit)}`}`],
      ['remaining', numberText(remaining)],
      ['level', decision.quotaUsageLevel],
      ['tier', decision.tier],
      ['policy', decision.quotaUsagePolicy === 'None' ? null : decision.quotaUsagePolicy],
      ['charged', chargedCredits === 0 ? null : numberText(chargedCredits)],
      ['balance', fundingBalanceMetric],
      ['balance remaining', numberText(fundingBalanceRemaining)],
      ['resets', decision.periodEnd === null ? null : instantWords(Date.parse(decision.periodEnd), now)],
      ['try again', retry],
      ['key', decision.idempotentKey],
      ['decided', decision.replayed ? 'by an earlier call with this key' : null],
    ]),
  ]
}

/** The most rejected records that a person is told of. */
const mostRejected = 200

/** What became of uploaded records, those that were rejected with their places in the file. */
export function uploadedLines({ processed, duplicates, rejected, ...sum }: Uploaded, file: string): string[] {
  const name = inputName(file)
  return [
    ...rejected
      .slice(0, mostRejected)
      .map(({ transactionId, code, codeName, message, ...place }) =>
        visible(
          `${placeWords(name, place)}  ${transactionId === null ? '' : `transaction ${transactionId} `}rejected: ${message} (${code} ${codeName})`,
        ),
      ),
    ...(rejected.length > mostRejected ? [`… and ${rejected.length - mostRejected} more (--json lists all)`] : []),
    `${counted(processed, 'record')} processed, ${counted(duplicates, 'duplicate')}, ${rejected.length} rejected.`,
    ...(sum.acknowledgedTransactionId === null ? [] : [`Acknowledged up to ${sum.acknowledgedTransactionId}.`]),
  ]
}

/** Movements of a balance, a row each. */
export function ledgerLines(entries: readonly LedgerEntry[], canvas: Canvas): string[] {
  const rows = entries.map(({ occurredAt, kind, amount, balanceAfter, reference, actor }) => {
    const at = occurredAt.replace(/\.\d+/, '')
    const moved = `${numberText(amount).startsWith('-') ? '' : '+'}${numberText(amount)}`
    return {
      cells: [at, kind, moved, cell(balanceAfter), reference, actor],
      head: `${at}  ${kind}  ${moved}`,
      below: [`balance ${numberText(balanceAfter)}`, reference, actor],
    }
  })
  return stackedTable(['WHEN', 'KIND', 'AMOUNT', 'BALANCE', 'REFERENCE', 'BY'], rows, canvas)
}
