import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { digestOf, type PlanContent, planText, sealed } from '../../cli/plan-files/plan-file.ts'
import { planFrom } from '../../cli/plan-files/plan-reading.ts'
import { Problem } from '../../cli/problems.ts'

const snapshot = {
  formatVersion: '1.0',
  plans: [{ suiteCode: 'CAD', name: 'Standard', plans: [{ name: 'Pro', monthlyPrice: 59, currency: 'EUR' }] }],
}
const content: PlanContent = {
  target: { tenantId: '018f0000-0000-7000-8000-000000000001', environment: 'production' },
  promotedFrom: null,
  git: { revision: 'abc', dirty: false },
  selection: {
    only: ['plan-set:*'],
    exclude: [],
    alsoNeeded: [{ key: 'product:CAD', neededBy: 'plan-set:CAD/Standard' }],
  },
  summary: { create: 0, update: 1, unchanged: 3, onlyHere: 0, errors: 0, warnings: 0 },
  items: [
    {
      kind: 'planSet',
      key: 'plan-set:CAD/Standard',
      action: 'update',
      changes: [{ path: '/plans/Pro/monthlyPrice', before: 49, after: 59 }],
      fingerprint: 'sha256:1',
      affects: { entitlements: 3 },
    },
  ],
  onlyHere: [],
  warnings: [],
  snapshotDigest: digestOf(snapshot),
  snapshot,
  files: { 'all.yaml': 'sha256:2' },
  places: { 'plan-set:CAD/Standard': { file: 'all.yaml', line: 10 } },
}
const text = planText(sealed(content))

function problemOf(altered: string): Problem | undefined {
  try {
    planFrom(altered, 'plan.json')
    return undefined
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}

describe('a plan file', () => {
  test('is read as it was written', () => {
    expect(planFrom(text, 'plan.json')).toEqual(sealed(content))
    expect(planFrom(text.trimEnd().replaceAll('\n', '\r\n'), 'plan.json')).toEqual(sealed(content))
  })

  test.each<[name: string, altered: string, codeName: string, message: RegExp]>([
    [
      'a price that was changed',
      text.replace('"monthlyPrice": 59', '"monthlyPrice": 58'),
      'cli.plan_altered',
      /altered/,
    ],
    ['another target', text.replace('"production"', '"staging"'), 'cli.plan_altered', /altered/],
    ['another digest', text.replace(/"digest": "sha256:./, '"digest": "sha256:g'), 'cli.plan_altered', /altered/],
    ['no digest', text.replace(/ {2}"digest": .*\n/, ''), 'cli.plan_altered', /altered/],
    [
      'a field that stands twice',
      text.replace('"git":', '"selection": null,\n  "git":'),
      'cli.plan_altered',
      /altered/,
    ],
    ['a number written otherwise', text.replace('"after": 59', '"after": 59.0'), 'cli.plan_altered', /altered/],
    ['text written otherwise', text.replace('"production"', '"\\u0070roduction"'), 'cli.plan_altered', /altered/],
    ['other white space', JSON.stringify(JSON.parse(text)), 'cli.plan_altered', /altered/],
    ['something behind it', `${text}{}`, 'cli.input', /not JSON/],
    ['__proto__', text.replace('1,', '1,\n  "__proto__": {"x": 1},'), 'cli.plan_altered', /altered/],
    [
      'deep nesting',
      text.replace('"git": ', `"deep": ${'['.repeat(2e5)}${']'.repeat(2e5)}, "git": `),
      'cli.plan_altered',
      /altered/,
    ],
    ['half of it', text.slice(0, text.length / 2), 'cli.input', /not JSON: it is no plan, or it was cut off/],
    ['nothing', '', 'cli.input', /not JSON/],
    ['a list', '[]', 'cli.input', /no plan of licet/],
    ['null', 'null', 'cli.input', /no plan of licet/],
    ['a catalog', '{"products": []}', 'cli.input', /no plan of licet/],
    ['YAML', 'licetPlan: 1\n', 'cli.input', /not JSON/],
    [
      'a newer plan',
      text.replace('"licetPlan": 1', '"licetPlan": 2'),
      'cli.input',
      /of version 2; this licet reads version 1/,
    ],
    ['a version that is none', text.replace('"licetPlan": 1', '"licetPlan": "1"'), 'cli.input', /no plan of licet/],
  ])('%s is refused', (_name, altered, codeName, message) => {
    expect(altered).not.toBe(text)
    expect(problemOf(altered)).toMatchObject({ codeName, message: expect.stringMatching(message) })
  })

  test.each<[name: string, forged: object]>([
    ['no items', { items: undefined }],
    ['an item that is none', { items: [null] }],
    ['an action that there is not', { items: [{ ...content.items[0]!, action: 'delete' }] }],
    ['a field that there is not', { items: [{ ...content.items[0]!, more: 1 }] }],
    ['a snapshot of another digest', { snapshot: { ...snapshot, tags: [] } }],
    ['a snapshot of another shape', { snapshot: { products: 1 }, snapshotDigest: digestOf({ products: 1 }) }],
    ['places that are none', { places: { 'product:CAD': 'all.yaml' } }],
  ])('one with a sound digest and %s is refused, too', (_name, forged) => {
    const made = planText(sealed({ ...content, ...forged } as PlanContent))
    expect(problemOf(made)).toMatchObject({ codeName: 'cli.plan_altered' })
  })

  test('whatever character is changed, taken away or put in, it is refused', () => {
    const body = text.trimEnd().length
    const edits = fc.record({
      at: fc.nat(body - 1),
      removed: fc.nat(1),
      inserted: fc.oneof(
        fc.string({ maxLength: 1, unit: 'binary-ascii' }),
        fc.constantFrom('0', '9', '"', ',', '{', ' '),
      ),
    })
    fc.assert(
      fc.property(edits, ({ at, removed, inserted }) => {
        const altered = text.slice(0, at) + inserted + text.slice(at + removed)
        const isSame = altered.replaceAll('\r\n', '\n').trimEnd() === text.trimEnd()
        expect(problemOf(altered) === undefined).toBe(isSame)
      }),
      { numRuns: 2000 },
    )
  })
})
