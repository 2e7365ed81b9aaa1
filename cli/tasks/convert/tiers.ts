/** The tiers of a metered limit: free up to it, denied from there on; without limit one open tier, at 0 nothing but denial. */
export function tiersAt(limit: number) {
  const beyond = { startUsage: limit, quotaUsageLevel: 'OverUsage', quotaUsagePolicy: 'Deny' }
  if (limit <= 0) return [{ ...beyond, startUsage: 0 }]
  if (!Number.isFinite(limit)) return [{ startUsage: 0, quotaUsageLevel: 'Normal', quotaUsagePolicy: 'None' }]
  return [{ startUsage: 0, endUsage: limit, quotaUsageLevel: 'Normal', quotaUsagePolicy: 'None' }, beyond]
}
