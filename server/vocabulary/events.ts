/** Every event that is recorded, by type: the kind of record it is about, the version of its data, and when it fires. */
export const events = {
  'Entitlement.Activated': ['entitlement', 1, 'An entitlement becomes Active.'],
  'Entitlement.Expiring': ['entitlement', 1, 'An entitlement approaches its end.'],
  'Entitlement.TrialExpiring': ['entitlement', 1, 'A trial approaches its end.'],
  'Entitlement.Renewed': ['entitlement', 1, 'A subscription period is renewed.'],
  'Entitlement.Cancelled': ['entitlement', 1, 'An entitlement is cancelled.'],
  'Entitlement.PlanApplied': ['entitlement', 1, 'A plan is applied or changed.'],
  'MeteredUsage.OverageStatusChanged': ['monitored-asset', 1, 'Metered usage crosses into a tier of another level.'],
  'CreditBalance.StatusChanged': ['monitored-asset', 1, 'A credit balance crosses into a band of another level.'],
} as const satisfies Record<string, readonly [entityKind: string, version: number, when: string]>

export type EventType = keyof typeof events
