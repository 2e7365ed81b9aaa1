import type { UsageTier } from '../usage-tier.ts'
import type { Breach } from './rule.ts'

/** A tier ends after it starts, and names a balance that pays only where overage is allowed. */
export function checkTiers(tiers: readonly UsageTier[], path: string): Breach[] {
  const breaches: Breach[] = []
  tiers.forEach((tier, index) => {
    const refuse = (field: string, message: string) =>
      breaches.push({ codeName: 'license.validation_error', path: `${path}/${index}/${field}`, message })
    if (tier.endUsage !== null && tier.endUsage <= (tier.startUsage ?? 0))
      refuse('endUsage', 'a tier ends after it starts')
    if (tier.endPercentage !== null && tier.endPercentage <= (tier.startPercentage ?? 0))
      refuse('endPercentage', 'a tier ends after it starts')
  })
  return breaches
}
