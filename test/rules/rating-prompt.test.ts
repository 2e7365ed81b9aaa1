import { describe, expect, test } from 'vitest'
import type { StoredFeature } from '../../server/entitlements/entitlements/stored.ts'
import { isRunning } from '../../server/feedback/rating-campaigns/running.ts'
import { isEntitledTo } from '../../server/feedback/ratings/entitled-feature.ts'
import { ratedBy, type SaidAbout } from '../../server/feedback/ratings/rated-feature.ts'
import { type Ask, nextAsk } from '../../server/feedback/ratings/rating-prompt.ts'
import { Problem } from '../../server/kit/problem.ts'

describe('what is asked next', () => {
  const ask = (featureCode: string, priority: number | null, campaignId = 'spring'): Ask => ({
    ...{ campaignId, featureId: `id of ${featureCode}`, featureCode, featureName: featureCode },
    ...{ productId: 'cad', question: null, priority },
  })
  const uses = { SLICE: 100, RENDER: 300, EXPORT: 200 }

  test.each<[string, Ask[], string | undefined, { without?: string[]; rated?: string[] }?]>([
    ['nothing of nothing', [], undefined],
    ['the lowest priority, whatever was used last', [ask('RENDER', 2), ask('SLICE', -1), ask('EXPORT', 0)], 'SLICE'],
    ['of one priority, what was used last', [ask('SLICE', 1), ask('RENDER', 1), ask('EXPORT', 1)], 'RENDER'],
    ['of one priority, what was used at all', [ask('PRINT', 1), ask('SLICE', 1)], 'SLICE'],
    ['what has a priority, used or not, before what has none', [ask('RENDER', null), ask('PRINT', 9)], 'PRINT'],
    ['without priorities, what was used last', [ask('SLICE', null), ask('EXPORT', null)], 'EXPORT'],
    ['nothing that has no priority and was never used', [ask('PRINT', null)], undefined],
    ['of what is all alike, the first', [ask('PRINT', 1, 'spring'), ask('PRINT', 1, 'autumn')], 'PRINT of spring'],
    ['nothing that the session has not', [ask('SLICE', 1), ask('EXPORT', 2)], 'EXPORT', { without: ['SLICE'] }],
    ['nothing that was rated', [ask('SLICE', 1), ask('EXPORT', 2)], 'EXPORT', { rated: ['spring SLICE'] }],
    ['what was rated in another campaign', [ask('SLICE', 1)], 'SLICE', { rated: ['autumn SLICE'] }],
  ])('%s', (_what, asks, expected, { without = [], rated = [] } = {}) => {
    const next = nextAsk(asks, {
      isEntitledTo: ({ featureCode }) => !without.includes(featureCode),
      hasRated: ({ campaignId, featureId }) => rated.includes(`${campaignId} ${featureId.slice('id of '.length)}`),
      lastUses: new Map(Object.entries(uses)),
    })
    const [code, campaignId = 'spring'] = expected?.split(' of ') ?? []
    expect([next?.featureCode, next?.campaignId]).toEqual(expected ? [code, campaignId] : [undefined, undefined])
  })
})

describe('a session has a feature', () => {
  const now = Date.parse('2027-03-01T00:00:00Z')
  const had = {
    ...{ isEnabled: true, featureType: 'Boolean', value: 'true', featureExpiration: null },
    ...{ isAvailableDuringTrialPeriod: true, isAvailableDuringGracePeriod: true },
  } as StoredFeature
  const paid = { is_trial: 0, lease_expires_at: now + 1 }
  const trial = { ...paid, is_trial: 1 }
  const grace = { ...paid, lease_expires_at: now }

  test.each<[string, Partial<StoredFeature>, typeof paid, boolean]>([
    ['that is switched on', {}, paid, true],
    ['of no value of its own', { value: null }, paid, true],
    ['not one that is switched off', { isEnabled: false }, paid, false],
    ['not one whose value says no', { value: 'false' }, paid, false],
    ['one whose text says "false"', { featureType: 'Text', value: 'false' }, paid, true],
    ['until it is over', { featureExpiration: '2027-03-01T00:00:00.001Z' }, paid, true],
    ['not once it is over', { featureExpiration: '2027-03-01T00:00:00.000Z' }, paid, false],
    ['on trial', {}, trial, true],
    ['not one that trials do without', { isAvailableDuringTrialPeriod: false }, trial, false],
    ['one that trials do without, once paid', { isAvailableDuringTrialPeriod: false }, paid, true],
    ['not one that grace does without', { isAvailableDuringGracePeriod: false }, grace, false],
    ['one that grace does without, before grace', { isAvailableDuringGracePeriod: false }, paid, true],
  ])('%s', (_what, feature, licence, expected) => {
    expect(isEntitledTo({ ...had, ...feature }, licence, now)).toBe(expected)
  })
})

describe('a campaign is running', () => {
  test.each<[string, Parameters<typeof isRunning>[0], boolean]>([
    ['while it is enabled, without ends', { is_enabled: 1, starts_at: null, ends_at: null }, true],
    ['not while it is disabled', { is_enabled: 0, starts_at: null, ends_at: null }, false],
    ['from its beginning on', { is_enabled: 1, starts_at: 100, ends_at: null }, true],
    ['not before', { is_enabled: 1, starts_at: 101, ends_at: null }, false],
    ['until its end', { is_enabled: 1, starts_at: null, ends_at: 101 }, true],
    ['not at its end', { is_enabled: 1, starts_at: null, ends_at: 100 }, false],
  ])('%s', (_when, campaign, expected) => {
    expect(isRunning(campaign, 100)).toBe(expected)
  })
})

describe('a submission rates', () => {
  const zeros = '00000000-0000-0000-0000-000000000000'
  const slice = { productId: 'cad', featureCode: 'SLICE', featureId: 'f1' }
  const plain = { productId: 'cad', featureCode: 'PLAIN', featureId: null }
  const shared = ['cad', 'cam'].map((productId) => ({ productId, featureCode: 'SHARED', featureId: null }))
  const rateable = {
    productIds: ['cad', 'cam'],
    features: [slice, { ...plain, ownIds: ['own', 'attached'] }, ...shared],
  }
  const whole = { productId: 'cad', featureId: null, featureCode: null }

  test.each<[string, SaidAbout, object | string]>([
    ['a feature by its id', { productId: 'cad', featureId: 'f1' }, slice],
    ['a feature by its id in capitals', { productId: 'CAD', featureId: 'F1' }, slice],
    ['a feature by its code', { productId: 'cad', featureId: null, featureCode: 'SLICE' }, slice],
    ['a feature by both', { productId: 'cad', featureId: 'f1', featureCode: 'SLICE' }, slice],
    ['a feature that no catalog has', { productId: 'cad', featureCode: 'PLAIN' }, plain],
    ['a feature by the id that its entitlement has for it', { productId: 'cad', featureId: 'own' }, plain],
    ['a feature by the id that its product has for it', { productId: 'cad', featureId: 'ATTACHED' }, plain],
    ['the product as a whole', { productId: 'cad', featureId: zeros }, whole],
    ['the product as a whole, whatever the code', { productId: 'cad', featureId: zeros, featureCode: 'OTHER' }, whole],
    ['no product of others', { productId: 'cax', featureId: zeros }, '/productId'],
    ['no feature of another product', { productId: 'cam', featureId: 'f1' }, '/featureId'],
    ['no feature of another code', { productId: 'cad', featureId: 'f1', featureCode: 'PLAIN' }, '/featureId'],
    ['no code of another case', { productId: 'cad', featureCode: 'slice' }, '/featureCode'],
    ['nothing unsaid', { productId: 'cad', featureCode: '' }, '/featureId'],
    ['a feature of the one product that has it', { featureCode: 'SLICE' }, slice],
    ['a feature by its id alone', { productId: null, featureId: 'f1' }, slice],
    ['no feature that two products have', { featureCode: 'SHARED' }, '/productId'],
    ['a feature that two products have, of one', { productId: 'cam', featureCode: 'SHARED' }, shared[1]!],
    ['no product of several as a whole', { featureId: zeros }, '/productId'],
  ])('%s', (_what, said, expected) => {
    let outcome: unknown
    try {
      outcome = ratedBy(said, rateable)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      outcome = (error.extensions.errors as { pointer: string }[])[0]!.pointer
    }
    expect(outcome).toEqual(expected)
  })
})
