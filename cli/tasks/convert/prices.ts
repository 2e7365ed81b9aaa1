import { isCurrency } from '../../../catalog-schema/rules/pricing-mode.ts'
import { findLoss, readAmount } from './amounts.ts'
import { findPeriod, type Period, splitUnit } from './periods.ts'
import type { Place } from './place.ts'

/**
 * The monthly price of a plan: the number, and null where there is none (a text such as "Contact Sales", an expression,
 * a price for another period than a month), with a warning that says so.
 */
export function readPrice(plan: Place): number | null {
  const [current, former, annual] = [plan.field('price'), plan.field('monthlyPrice'), plan.field('annualPrice')]
  const price = current.value === undefined ? former : current
  if (!former.isEmpty && former.value !== price.value) former.warn('has no place beside "price": left out')
  if (!annual.isEmpty && annual.value !== price.value) annual.warn('a price for paying yearly has no place: left out')
  const amount = readNumber(price)
  const unit = plan.field('unit')
  // Nothing is nothing in any period, and a monthlyPrice is of a month whatever its unit says.
  if (amount === 0 || (amount !== null && price === former)) leaveOutUnit(unit)
  else if (!isMonthly(unit, amount !== null)) return null
  return amount
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

/** Whether a price in this unit is one per month; whatever else the unit says is left out with a warning. */
function isMonthly(unit: Place, isPriced: boolean): boolean {
  const { period } = readUnit(unit)
  const isPerMonth = period === undefined || period === 'Monthly'
  if (!isPerMonth && isPriced)
    unit.warn(`the price is per "${unit.value}", not per month: not priced yet (monthlyPrice is null)`)
  else leaveOutUnit(unit)
  return isPerMonth
}

function leaveOutUnit(unit: Place): void {
  const { period, counted } = readUnit(unit)
  if (counted !== null || (period !== undefined && period !== 'Monthly'))
    unit.warn(`the unit of a price has no place in a catalog: "${unit.value}" is left out`)
}

/** What a price is for, and per what period: `user/month`, `year`, `user/year (billed annually)`. */
function readUnit(unit: Place): { counted: string | null; period: Period | undefined } {
  const text = (unit.text() ?? '').replace(/\s*\([^)]*\)\s*$/, '')
  const alone = findPeriod(text)
  if (alone !== undefined) return { counted: null, period: alone }
  const { unit: counted, period } = splitUnit(text)
  return { counted, period }
}

/** The ISO 4217 code of the price list, if it states one; an error where it is none. */
export function readCurrency(priceList: Place): string | null {
  const stated = priceList.field('currency')
  const code = stated.text()?.trim().toUpperCase() ?? null
  if (code === null || isCurrency(code)) return code
  stated.refuse(`"${code}" is no ISO 4217 code such as EUR`)
  return null
}
