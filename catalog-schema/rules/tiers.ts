import type { UsageTier } from '../usage-tier.ts'
import { checkMetricName } from './metric-names.ts'
import { type Breach, type Caution, invalid, type Surroundings, type Verdict } from './rule.ts'

/** What the bounds of tiers are: of the tiers themselves, or what is added to those of others. */
export type Bounds = 'own' | 'added'

/** A tier ends after it starts, also by what is added to both, and the balance that pays for it has a metric's name. */
function checkTiers(tiers: readonly UsageTier[], path: string, bounds: Bounds): Breach[] {
  const isAmiss = (end: number | null, start: number | null) =>
    end !== null && (bounds === 'own' ? end <= (start ?? 0) : end < (start ?? 0))
  const message =
    bounds === 'own' ? 'a tier ends after it starts' : 'what is added to the end is at least what is added to the start'
  return tiers.flatMap((tier, index) => {
    const at = `${path}/${index}`
    const breaches = checkMetricName(tier.fundingBalanceMetric, `${at}/fundingBalanceMetric`)
    if (isAmiss(tier.endUsage, tier.startUsage)) breaches.push(invalid(`${at}/endUsage`, message))
    if (isAmiss(tier.endPercentage, tier.startPercentage)) breaches.push(invalid(`${at}/endPercentage`, message))
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

/** Bounds by usage, or by percentage of a value. */
const scales = [
  ['startUsage', 'endUsage'],
  ['startPercentage', 'endPercentage'],
] as const

/** Usage that is in no tier, or in two, is seldom meant. Tiers may stand in any order where each says where it starts. */
function doubtBounds(tiers: readonly UsageTier[], place: string): Caution[] {
  return scales.flatMap(([startOf, endOf]): Caution[] => {
    const placed = tiers.map((tier, index) => ({
      start: tier[startOf] ?? (index === 0 ? 0 : null),
      end: tier[endOf],
      index,
    }))
    if (placed.some(({ start }) => start === null)) return []
    const [first, ...others] = placed.toSorted((a, b) => a.start! - b.start!)
    // How far those before it reach, one of which may end behind the next.
    let reach = first!.end
    return others.flatMap(({ start, end, index }): Caution[] => {
      const before = reach
      reach = before === null || end === null ? null : Math.max(before, end)
      if (before === start) return []
      const path = `${place}/${index}/${startOf}`
      if (before !== null && before < start!)
        return [{ code: 'tier_gap', path, message: `usage from ${before} to ${start} is in no tier, and allowed` }]
      const words = before === null ? 'has no end' : `ends at ${before}`
      const message = `a tier before it ${words}: where both are, the more restrictive rules`
      return [{ code: 'tier_overlap', path, message }]
    })
  })
}

/** Both at once, into a verdict. */
export function judgeTiers(
  tiers: readonly UsageTier[],
  path: string,
  around: Pick<Surroundings, 'hasBalance'>,
  verdict: Verdict,
  bounds: Bounds = 'own',
): void {
  if (tiers.length === 0) return
  verdict.breaches.push(...checkTiers(tiers, path, bounds))
  verdict.cautions.push(...doubtTiers(tiers, path, around))
  if (bounds === 'own') verdict.cautions.push(...doubtBounds(tiers, path))
}
