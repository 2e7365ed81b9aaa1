import { pathSegment } from '../member-names.ts'
import { type Breach, invalid } from './rule.ts'

interface PricedPlan {
  name: string
  pricingMode: string
  monthlyPrice: number | null
  currency: string | null
  relativeWeight: number | null
}

/** Codes of ISO 4217 that Intl does not list: a second tender, units of account, funds and metals. */
const unlisted = 'BOV CHE CHW CLF COU MXV USN UYI UYW VED XAD XAG XAU XBA XBB XBC XBD XPD XPT XUA'

const currencies: ReadonlySet<string> = new Set([...Intl.supportedValuesOf('currency'), ...unlisted.split(' ')])

/** Whether a text is the ISO 4217 code of something to pay with: its codes for no currency and for tests are none. */
export const isCurrency = (code: string) => currencies.has(code)

/** Every plan of a set shares one pricing mode, and carries a price or a weight as that mode says. */
export function checkPricingMode(plans: readonly PricedPlan[]): Breach[] {
  const breaches: Breach[] = []
  const refuse = (index: number, field: string, message: string) =>
    breaches.push(invalid(`/plans/${pathSegment(plans[index]!.name)}/${field}`, message))
  const mode = plans[0]?.pricingMode
  plans.forEach((plan, index) => {
    if (plan.pricingMode !== mode)
      refuse(index, 'pricingMode', `every plan of a set shares one pricingMode: "${plans[0]!.name}" is ${mode}`)
    if (plan.pricingMode === 'Absolute') {
      if (plan.relativeWeight !== null)
        refuse(index, 'relativeWeight', 'an Absolute plan has no relativeWeight: null clears it')
      // A price of nothing, or none yet, is of no currency: whatever is written there is left alone.
      if (plan.monthlyPrice !== null && plan.monthlyPrice > 0) {
        if (plan.currency === null) refuse(index, 'currency', 'a positive monthlyPrice needs a currency (ISO 4217)')
        else if (!isCurrency(plan.currency)) refuse(index, 'currency', 'must be an ISO 4217 code such as EUR')
      }
    } else {
      if (plan.monthlyPrice !== null)
        refuse(index, 'monthlyPrice', 'a Relative plan has no monthlyPrice: null clears it')
      if (plan.currency !== null) refuse(index, 'currency', 'a Relative plan has no currency: null clears it')
    }
  })
  return breaches
}
