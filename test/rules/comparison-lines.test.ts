import { describe, expect, test } from 'vitest'
import { paint } from '../../cli/colour.ts'
import { changeText, valueText } from '../../cli/screens/change-value.ts'
import { comparisonLines } from '../../cli/screens/comparison.ts'
import type { Comparison } from '../../cli/tasks/compare.ts'
import { movedKeys } from '../../cli/tasks/import.ts'

const comparison: Comparison = {
  report: {
    formatVersion: '1.0',
    comparedAt: '2026-01-01T00:00:00Z',
    sourceTenantId: null,
    targetTenantId: 'id',
    environmentRevision: '418',
    summary: { create: 1, update: 1, unchanged: 431, onlyHere: 2, errors: 0, warnings: 0 },
    items: [
      {
        kind: 'product',
        key: 'product:PRO@2',
        action: 'update',
        changes: [
          { path: '/features/EXPORT_PDF/isPaidFeature', before: false, after: true },
          { path: '/features/SEATS/value', before: '5', after: '10' },
        ],
        affects: { entitlements: 212 },
      },
      { kind: 'planSet', key: 'plan-set:Standard/Team', action: 'create' },
    ],
    onlyHere: [
      { kind: 'tag', key: 'tag:Product/legacy' },
      { kind: 'planSet', key: 'plan-set:Standard/Team', path: '/plans/Old' },
    ],
    errors: [],
    warnings: [],
  },
  before: { name: 'production', tenant: 'acme' },
  after: { name: 'catalog', isFiles: true },
  milliseconds: 180,
  placeOf: (key) =>
    key.startsWith('product:') ? { file: 'catalog/products/pro.yaml', line: 12, col: 3, frame: '' } : undefined,
}
const drawn = (width: number, more: Partial<Comparison> = {}) =>
  comparisonLines({ ...comparison, ...more }, { width, colours: paint({ isTTY: false }, {}) }).join('\n')

describe('a comparison', () => {
  test('is drawn with what changes, where, and what it touches', () => {
    expect(drawn(120)).toBe(`production (tenant acme, revision 418)   433 items compared in 0.18 s

~ product:PRO@2                       catalog/products/pro.yaml:12
    features/EXPORT_PDF/isPaidFeature    false → true
    features/SEATS/value                 "5" → "10"    touches 212 live entitlements
+ plan-set:Standard/Team
· tag:Product/legacy                  only in production (an import never removes)
· plan-set:Standard/Team plans/Old    only in production (an import never removes)

1 to create, 1 to update (2 fields), 431 unchanged, 2 only in production.`)
  })

  test('fits a narrow terminal', () => {
    expect(drawn(40)).toBe(`production (tenant acme, revision 418)
  433 items compared in 0.18 s

~ product:PRO@2
      catalog/products/pro.yaml:12
    features/EXPORT_PDF/isPaidFeature
      false → true
    features/SEATS/value    "5" → "10"
    touches 212 live entitlements
+ plan-set:Standard/Team
· tag:Product/legacy
      only in production (an import never removes)
· plan-set:Standard/Team plans/Old
      only in production (an import never removes)

1 to create, 1 to update (2 fields), 431 unchanged, 2 only in production.`)
  })

  test('shows the whole of a member that comes or goes', () => {
    const plan = {
      name: 'Team',
      monthlyPrice: 99,
      currency: 'EUR',
      lineItems: [{ productCode: 'PRO', featureValues: [{ featureCode: 'SEATS', value: '25' }] }],
    }
    const changes = [{ path: '/plans/Team', before: null, after: plan }]
    const items = [{ kind: 'planSet', key: 'plan-set:Standard', action: 'update' as const, changes }]
    expect(drawn(60, { report: { ...comparison.report, items, onlyHere: [] } })).toContain(`~ plan-set:Standard
    plans/Team
      none → {monthlyPrice: 99, currency: "EUR", lineItems:
      [{productCode: "PRO", featureValues: [{value: "25",
      featureCode: "SEATS"}]}]}
`)
  })

  test('of two environments names both', () => {
    expect(drawn(120, { after: { name: 'staging', isFiles: false } })).toMatch(
      /^production \(tenant acme, revision 418\) made like staging /,
    )
  })
})

test('a comparison of more items than a call takes arguments is drawn, too', () => {
  const items = Array.from({ length: 200_000 }, (_, index) => ({
    kind: 'tag',
    key: `tag:Product/${index}`,
    action: 'create' as const,
  }))
  const lines = drawn(80, { report: { ...comparison.report, items, onlyHere: [] } }).split('\n')
  expect(lines).toContain('+ tag:Product/199999')
})

test('of much that only the environment has, some is shown and the rest counted', () => {
  const onlyHere = Array.from({ length: 70 }, (_, index) => ({ kind: 'tag', key: `tag:Product/${index}` }))
  const lines = drawn(120, { report: { ...comparison.report, items: [], onlyHere } }).split('\n')
  expect(lines.filter((line) => line.includes('only in production'))).toHaveLength(52)
  expect(lines).toContainEqual(expect.stringMatching(/^· … and 20 more +only in production .*; --json lists all$/))
})

test('what is sold is shown before what it is made of', () => {
  const features = Array.from({ length: 60 }, (_, index) => ({ kind: 'feature', key: `feature:A/${index}` }))
  const sold = [
    { kind: 'planSet', key: 'plan-set:A/Plans', path: '/plans/PRO' },
    { kind: 'addOn', key: 'add-on:A_EXTRA' },
  ]
  const value = { kind: 'planSet', key: 'plan-set:A/Plans', path: '/plans/FREE/lineItems/A/featureValues/X' }
  const text = drawn(120, { report: { ...comparison.report, items: [], onlyHere: [...features, value, ...sold] } })
  expect(text).toMatch(/· plan-set:A\/Plans plans\/PRO .*\n· add-on:A_EXTRA .*\n· … and 13 more/)
  expect(text).not.toContain('featureValues')
})

describe('a change on one line', () => {
  test.each([
    ['nothing there', null, 49, 'none → 49'],
    ['text that looks like a number', '5', 5, '"5" → 5'],
    ['line breaks and escapes', 'a\nb', '\u001b[31m', String.raw`"a\nb" → "\u001b[31m"`],
    ['text that reorders what is read', 'a', '\u202eb', String.raw`"a" → "\u{202e}b"`],
    ['a member, without the name that its path says', null, { code: 'X', value: '5', tags: [] }, 'none → {value: "5"}'],
    ['a list', ['a'], ['a', 'b'], '["a"] → ["a", "b"]'],
  ])('shows %s', (_name, before, after, expected) => {
    expect(changeText({ path: '/list/X', before, after })).toBe(expected)
  })

  test('shows of two long texts where they begin to differ', () => {
    const long = 'The same words at the start of both, then '
    const shown = changeText({ path: '/description', before: `${long}cats`, after: `${long}dogs` }, 20)
    expect(shown).toBe('…"h, then cats" → …"h, then dogs"')
  })

  test('shows of two long objects where they begin to differ', () => {
    const plan = (planName: string) => ({ suiteCode: 'ACME-CAD@2.0', planSetName: 'Standard', planName })
    const shown = changeText({ path: '/assignedPlan', before: plan('Pro'), after: plan('Team') }, 30)
    expect(shown).toBe('…planName: "Pro"} → …planName: "Team"}')
    const tiers = (end: number) =>
      Array.from({ length: 9 }, (_, index) => ({ startUsage: index, endUsage: end + index }))
    expect(changeText({ path: '/usageTiers', before: tiers(10), after: tiers(20) })).toMatch(/: 10.* → .*: 20/)
  })

  test('never cuts a character in half', () => {
    expect(valueText('👩‍🚀'.repeat(30), 5)).not.toMatch(
      /[\ud800-\udfff](?![\udc00-\udfff])(?<![\ud800-\udbff][\udc00-\udfff])/,
    )
  })
})

test('what moved between two reports is every key that would change otherwise', () => {
  const item = { kind: 'tag', key: 'tag:a', action: 'create' as const, fingerprint: null }
  const report = (items: Comparison['report']['items']) => ({ ...comparison.report, items })
  expect(movedKeys(report([item]), report([item]))).toEqual([])
  expect(movedKeys(report([item]), report([]))).toEqual(['tag:a'])
  expect(movedKeys(report([]), report([item]))).toEqual(['tag:a'])
  expect(movedKeys(report([item]), report([{ ...item, action: 'update', fingerprint: 'f' }]))).toEqual(['tag:a'])
})
