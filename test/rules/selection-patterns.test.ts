import { describe, expect, test } from 'vitest'
import { Problem } from '../../cli/problems.ts'
import { matches, readPatterns } from '../../cli/selection/patterns.ts'
import { expectGrowthBelow } from '../support/growth.ts'

describe('a pattern', () => {
  test.each([
    ['product:ACME', 'product:ACME', true],
    ['product:ACME', 'product:ACME-CAD', false],
    ['product:ACME*', 'product:ACME-CAD@2.0', true],
    ['product:acme*', 'product:ACME-CAD@2.0', false],
    ['product:SEL', 'product:sel', false],
    ['*:*/beta', 'feature:CAD/Beta', false],
    ['*:*/beta', 'tag:Product/Beta', true],
    ['*:*CAD*', 'feature:ACME-CAD@2.0/EXPORT_STEP', true],
    ['feature:*/EXPORT_?TEP', 'feature:ACME-CAD@2.0/EXPORT_STEP', true],
    ['feature:*/EXPORT_?TEP', 'feature:ACME-CAD@2.0/EXPORT_TEP', false],
    ['PLAN-SET:*', 'plan-set:ACME/Standard', true],
    ['plan-set:*', 'product:plan-set:x', false],
    ['tag:product/beta', 'tag:Product/Beta', true],
    ['product:?', 'product:🎉', true],
    ['product:?', 'product:İ', true],
    ['tag:Product/ΣΑΣ*', 'tag:Product/σασx', true],
    ['tag:Product/σα*', 'tag:Product/ΣΑΣ', true],
    ['product:σα*', 'product:ΣΑΣ', false],
    ['product:a.c', 'product:abc', false],
    ['product:[ab]', 'product:a', false],
    ['product:a**b', 'product:ab', true],
    ['product:*a*b', 'product:xaxxbxb', true],
    ['product:*a*b', 'product:xaxxbxbc', false],
  ])('%s on %s: %s', (pattern, key, isMatch) => expect(matches(pattern, key)).toBe(isMatch))

  test('takes no longer the more stars it has', () => {
    const match = (stars: number) => () =>
      expect(matches(`product:${'a*'.repeat(stars)}b`, `product:${'a'.repeat(20_000)}`)).toBe(false)
    expectGrowthBelow(20, match(5), match(500))
  })

  test('names a kind as key strings do, or as comparisons do', () => {
    const only = ['planSet:A*', 'monitoredAsset:*', 'ADDON:B', 'entitlementOffer:*', 'ratingCampaign:*', 'plan-set:A*']
    expect(readPatterns({ only }).only).toEqual(['add-on:B', 'metric:*', 'offer:*', 'plan-set:A*', 'rating-campaign:*'])
  })

  test.each([
    ['without a kind', ['ACME'], /--only takes kind:glob, not "ACME"/, /one of tag, product/],
    ['of no kind there is', ['prodcut:A*'], /not "prodcut:A\*"/, /^product:A\*$/],
    ['without a glob', ['product:'], /not "product:"/, /^product:\*$/],
    ['that is empty', [''], /not ""/, /one of/],
  ])('%s is refused', (_name, only, message, hint) => {
    const refused = thrownBy(() => readPatterns({ only }))
    expect(refused.codeName).toBe('cli.usage')
    expect(refused.message).toMatch(message)
    expect(refused.details.hint).toMatch(hint)
  })
})

function thrownBy(work: () => unknown): Problem {
  try {
    work()
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  throw new Error('nothing was thrown')
}
