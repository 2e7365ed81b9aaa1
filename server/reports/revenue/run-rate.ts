import { addDecimals, type Decimal, decimalOf, multiplyDecimals, wireNumber, zero } from '../../kit/decimal.ts'
import { sharesOf } from '../shares.ts'

/** A plan that live entitlements are on, and how many of them: those that are paid for, and trials. */
export interface PlanInUse {
  suiteCode: string
  productId: string | null
  productCode: string | null
  productVersion: string | null
  planSetId: string
  planSetName: string
  planName: string
  pricingMode: string | null
  currency: string | null
  monthlyPrice: number | null
  relativeWeight: number | null
  entitlements: number
  trials: number
}

/** What is earned by plans: each one's part, and sums by product and by currency. Trials earn nothing. */
interface RunRates {
  currencies: Sum[]
  products: (Sum & Pick<PlanInUse, Whose>)[]
  plans: PlanLine[]
  weightedPlans: PlanLine[]
  unpricedPlans: PlanLine[]
}

type Whose = 'suiteCode' | 'productId' | 'productCode' | 'productVersion'

interface Sum {
  currency: string
  entitlements: number
  monthlyRunRate: number
  yearlyRunRate: number
}

interface PlanLine extends PlanInUse {
  monthlyRunRate: number | null
  yearlyRunRate: number | null
  share: number | null
}

const monthsOfYear = decimalOf(12)

/**
 * The run rates of plans in use, exactly: a plan earns its price for each entitlement that is paid for. A plan without a
 * price or a weight stands apart and earns nothing that is known; a weight becomes a share of all weights. A price of 0
 * is of no currency.
 */
export function runRatesOf(plans: readonly PlanInUse[]): RunRates {
  const priced = plans.filter(({ monthlyPrice }) => monthlyPrice !== null)
  const weighted = plans.filter(isWeighted)
  const earning = priced.filter(({ monthlyPrice, currency }) => monthlyPrice! > 0 && currency !== null)
  const shares = sharesOf(weighted.map(({ relativeWeight, entitlements }) => times(relativeWeight!, entitlements)))
  return {
    currencies: [...Map.groupBy(earning, ({ currency }) => currency!)].map(([currency, some]) => sumOf(currency, some)),
    products: [...Map.groupBy(earning, (plan) => `${plan.suiteCode} ${plan.currency}`).values()].map((some) => {
      const { suiteCode, productId, productCode, productVersion, currency } = some[0]!
      return { suiteCode, productId, productCode, productVersion, ...sumOf(currency!, some) }
    }),
    plans: priced.map((plan) => {
      const currency = plan.monthlyPrice === 0 ? null : plan.currency
      return { ...plan, currency, ...ratesOf(monthlyOf(plan)), share: null }
    }),
    weightedPlans: weighted.map((plan, at) => ({ ...plan, ...noRates, share: shares[at]! })),
    unpricedPlans: plans
      .filter((plan) => plan.monthlyPrice === null && !isWeighted(plan))
      .map((plan) => ({ ...plan, ...noRates, share: null })),
  }
}

const noRates = { monthlyRunRate: null, yearlyRunRate: null }

const isWeighted = ({ monthlyPrice, relativeWeight }: PlanInUse) => monthlyPrice === null && relativeWeight !== null

const times = (double: number, count: number) => multiplyDecimals(decimalOf(double), decimalOf(count))
const monthlyOf = ({ monthlyPrice, entitlements }: PlanInUse) => times(monthlyPrice!, entitlements)

const ratesOf = (monthly: Decimal) => ({
  monthlyRunRate: wireNumber(monthly),
  yearlyRunRate: wireNumber(multiplyDecimals(monthly, monthsOfYear)),
})

const sumOf = (currency: string, plans: readonly PlanInUse[]): Sum => ({
  currency,
  entitlements: plans.reduce((sum, { entitlements }) => sum + entitlements, 0),
  ...ratesOf(plans.map(monthlyOf).reduce(addDecimals, zero)),
})
