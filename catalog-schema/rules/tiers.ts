import type { UsageTier } from '../usage-tier.ts'
import { checkMetricName } from './metric-names.ts'
import { type Breach, type Caution, invalid, type Surroundings, type Verdict } from './rule.ts'

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

/** A balance named where overage is not allowed pays for nothing, and one that no product has cannot pay. */
function doubtTiers(tiers: readonly UsageTier[], place: string, around: Pick<Surroundings, 'hasBalance'>): Caution[] {
  return tiers.flatMap(({ fundingBalanceMetric: balance, quotaUsagePolicy }, index): Caution[] => {
    if (!balance) return []
    const path = `${place}/${index}/fundingBalanceMetric`
    if (quotaUsagePolicy !== 'AllowWithOverage') {
      const message = `"${balance}" pays only where quotaUsagePolicy is AllowWithOverage, not ${quotaUsagePolicy}`
      return [{ code: 'funding_not_charged', path, message }]
    }
    if (around.hasBalance(balance.toLowerCase())) return []
    const message = `no product has a balance "${balance}": what nobody pays for is refused`
    return [{ code: 'funding_balance_unknown', path, message }]
  })
}

/** Both at once, into a verdict. */
export function judgeTiers(
  tiers: readonly UsageTier[],
  path: string,
  around: Pick<Surroundings, 'hasBalance'>,
  verdict: Verdict,
): void {
  if (tiers.length === 0) return
  verdict.breaches.push(...checkTiers(tiers, path))
  verdict.cautions.push(...doubtTiers(tiers, path, around))
}
