import { recordId as id } from './invocations.ts'

const figures = { metric: 'm', unit: null, usage: 1, limit: 10, remaining: 9, periodStart: null, periodEnd: null }
const level = { quotaUsageLevel: 'None', quotaUsagePolicy: 'None', tier: null }

export const soundUsage = { ...figures, ...level, tiers: [], suspendedUntilAt: null }
export const soundConsumption = { ...figures, suspendedUntilAt: null }
export const soundDecision = {
  ...{ ...figures, ...level, allowed: true, reason: null, amount: 1, chargedCredits: 0, retryAfterSeconds: null },
  ...{
    fundingBalanceMetric: null,
    fundingBalanceRemaining: null,
    idempotentKey: 'k',
    replayed: false,
    decidedAt: '2026-01-01T00:00:00Z',
  },
}
export const soundUpload = { processed: 1, duplicates: 0, rejected: [], acknowledgedTransactionId: 1 }

const entry = {
  ...{ id, kind: 'Deposit', amount: 1, balanceAfter: 1, occurredAt: '2026-01-01T00:00:00Z' },
  ...{ reference: null, actor: 'client:x', correlationId: 'corr-1' },
}
export const soundLedger = { items: [entry], totalCount: 1, hasNextPage: false }
