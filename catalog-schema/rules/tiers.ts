import type { UsageTier } from '../usage-tier.ts'
import { checkMetricName } from './metric-names.ts'
import { type Breach, type Caution, invalid, type Verdict } from './rule.ts'

/** A tier ends after it starts, and the balance that pays for it has a metric's name. */
function checkTiers(tiers: readonly UsageTier[], path: string): Breach[] {
  return tiers.flatMap((tier, index) => {
    const at = `${path}/${index}`
    const breaches = checkMetricName(tier.fundingBalanceMetric, `${at}/fundingBalanceMetric`)
    if (tier.endUsage !== null && tier.endUsage <= (tier.startUsage ?? 0))
      breaches.push(invalid(`${at}/endUsage`, 'a tier ends after it starts'))
    if (tier.endPercentage !== null && tier.endPercentage <= (tier.startPercentage ?? 0))
      breaches.push(invalid(`${at}/endPercentage`, 'a tier ends after it starts'))
    return breaches
  })
}

/** A balance named where overage is not allowed pays for nothing. */
function doubtTiers(tiers: readonly UsageTier[], path: string): Caution[] {
  return tiers.flatMap((tier, index) =>
    tier.fundingBalanceMetric && tier.quotaUsagePolicy !== 'AllowWithOverage'
      ? [
          {
            code: 'funding_not_charged',
            path: `${path}/${index}/fundingBalanceMetric`,
            message: `"${tier.fundingBalanceMetric}" pays only where quotaUsagePolicy is AllowWithOverage, not ${tier.quotaUsagePolicy}`,
          },
        ]
      : [],
  )
}

/** Both at once, into a verdict. */
export function judgeTiers(tiers: readonly UsageTier[], path: string, verdict: Verdict): void {
  if (tiers.length === 0) return
  verdict.breaches.push(...checkTiers(tiers, path))
  verdict.cautions.push(...doubtTiers(tiers, path))
}
