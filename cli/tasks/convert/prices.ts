import { isCurrency } from '../../../catalog-schema/rules/pricing-mode.ts'
import { findLoss, readAmount } from './amounts.ts'
import { findPeriod, isSpanOfTime, type Period } from './periods.ts'
import type { Place } from './place.ts'

/**
 * The monthly price of a plan: the number, and null where there is none (a text such as "Contact Sales", an expression,
 * a price for another period than a month), with a warning that says so. A monthlyPrice is of a month whatever the unit says.
 */
export function readPrice(plan: Place): number | null {
  const [current, former, annual] = [plan.field('price'), plan.field('monthlyPrice'), plan.field('annualPrice')]
  const unit = plan.field('unit')
  const isOfMonth = isMonthly(readUnit(unit).period)
  const isStated = current.isEmpty || (!isOfMonth && Number.isFinite(readAmount(former.value)))
  const price = isStated ? former : current
  const other = isStated ? current : former
  if (!other.isEmpty && other.value !== price.value)
    other.warn(isStated ? 'is of another period than a month: left out' : 'has no place beside "price": left out')
  if (!annual.isEmpty && annual.value !== price.value) annual.warn('a price for paying yearly has no place: left out')
  const amount = readNumber(price)
  if (isOfMonth || isStated || amount === 0 || amount === null) {
    leaveOutUnit(unit, isStated || amount === 0 ? null : amount)
    return amount
  }
  unit.warn(`the price is in "${unit.value}", not per month: not priced yet (monthlyPrice is null)`)
  return null
}

function readNumber(price: Place): number | null {
  if (price.isEmpty) return null
  const amount = readAmount(price.value)
  if (amount === undefined || !Number.isFinite(amount)) {
    if (typeof price.value === 'string')
      price.warn(`"${price.value}" is no number: not priced yet (monthlyPrice is null)`)
    else price.refuse('a price must be a number, or text such as Contact Sales')
    return null
  }
  const loss = findLoss(amount, price.written)
  if (loss !== undefined) price.warn(loss)
  if (amount < 0) price.refuse('a price must be 0 or more')
  return amount
}

const isMonthly = (period: Period | 'other' | undefined) => period === undefined || period === 'Monthly'

/** Warns of what a unit says beside the month, and of a price that is one of a month only since no period is read there. */
function leaveOutUnit(unit: Place, price: number | null): void {
  const { period, hasMore } = readUnit(unit)
  const taken =
    price !== null && period === undefined ? '; it names no known period, so the price is taken as monthly' : ''
  if (hasMore || !isMonthly(period))
    unit.warn(`the unit of a price has no place in a catalog: "${unit.value}" is left out${taken}`)
}

/** Words of a price that no period is paid for. */
const paidOnce = /\b(?:once|one[-\u2011 ]?(?:time|off)|lifetime|perpetual)\b/i

/** Per what period a price is (`user/month`, `year`, `year/user`), and whether the unit says more than that. */
function readUnit(unit: Place): { period: Period | 'other' | undefined; hasMore: boolean } {
  const text = (unit.text() ?? '').replace(/\(s\)/i, 's')
  const bare = text.replace(/\([^)]*\)\s*$/, '')
  const parts = bare.split(/\/|\bper\b|,/i).map((part) => part.trim())
  const span = parts.find(isSpanOfTime)
  const hasMore = bare !== text || parts.some((part) => part !== '' && part !== span)
  if (span === undefined) return { period: paidOnce.test(text) ? 'other' : undefined, hasMore }
  return { period: findPeriod(span.replace(/^an?\s+|\.$/gi, '')) ?? 'other', hasMore }
}

/** The ISO 4217 code of the price list, if it states one; an error where it is none. */
export function readCurrency(priceList: Place): string | null {
  const stated = priceList.field('currency')
  const code = stated.text()?.trim().toUpperCase() ?? null
  if (code === null || isCurrency(code)) return code
  stated.refuse(`"${code}" is no ISO 4217 code such as EUR`)
  return null
}
