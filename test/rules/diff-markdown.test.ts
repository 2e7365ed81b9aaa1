import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { comparisonMarkdown, mostCharacters } from '../../cli/screens/formats/comparison-markdown.ts'
import { codeBlock, codeSpan, hiddenMarker } from '../../cli/screens/formats/markdown-text.ts'
import { refusalMarkdown } from '../../cli/screens/formats/refusal-markdown.ts'
import type { ReportItem } from '../../cli/tasks/catalog-report.ts'
import { comparisonOf, updated } from '../support/comparisons.ts'

const touching = (item: ReportItem, entitlements: number): ReportItem => ({ ...item, affects: { entitlements } })

describe('a comparison as markdown', () => {
  test('starts with its marker, says what happens in a sentence and a table, and folds the items by kind', () => {
    const comparison = comparisonOf(
      [
        touching(updated('product', 'product:PRO@2', 'features/SEATS/value', '5', '10'), 212),
        { kind: 'planSet', key: 'plan-set:Standard/Team', action: 'create' },
        updated('planSet', 'plan-set:Standard/Solo', 'plans/Solo/monthlyPrice', 49, 59),
      ],
      { report: { onlyHere: [{ kind: 'tag', key: 'tag:Product/legacy' }] } },
    )
    expect(comparisonMarkdown(comparison, 'production')).toBe(`<!-- licet:diff:production -->
**Importing \`catalog\` into \`production\` creates 1 item, updates 2 (2 fields) and touches 212 live entitlements**; 431 items are the same, and 1 is only there (an import never removes).

|  | create | update | only there | live entitlements touched |
| --- | ---: | ---: | ---: | ---: |
| products |  | 1 |  | 212 |
| plan sets | 1 | 1 |  |  |
| tags |  |  | 1 |  |

\`production\`: tenant \`acme\`, revision \`418\`, 434 items compared.

<details>
<summary>products: 1 to update</summary>

- update \`product:PRO@2\` · \`catalog/all.yaml:1\` · touches 212 live entitlements
  - \`features/SEATS/value\`: \`"5" → "10"\`, changes what was sold (line 2)

</details>

<details>
<summary>plan sets: 1 to create, 1 to update</summary>

- update \`plan-set:Standard/Solo\` · \`catalog/all.yaml:21\`
  - \`plans/Solo/monthlyPrice\`: \`49 → 59\`, a price change (line 22)
- create \`plan-set:Standard/Team\` · \`catalog/all.yaml:11\`

</details>

<details>
<summary>tags: 1 only there</summary>

- only in \`production\`: \`tag:Product/legacy\`

</details>
`)
  })

  test('says so when nothing changes, without a table', () => {
    expect(comparisonMarkdown(comparisonOf([]), 'production')).toBe(`<!-- licet:diff:production -->
**Importing \`catalog\` into \`production\` changes nothing**: 431 items are the same.

\`production\`: tenant \`acme\`, revision \`418\`, 431 items compared.
`)
  })

  test('counts entitlements that several items touch with care', () => {
    const items = ['A', 'B'].map((code) => touching(updated('product', `product:${code}`, 'name', 'x', 'y'), 3))
    expect(comparisonMarkdown(comparisonOf(items), 'x')).toContain('touches up to 6 live entitlements')
  })

  test('shows what a new item touches, too', () => {
    const item = touching({ kind: 'feature', key: 'feature:A/F', action: 'create' }, 1)
    expect(comparisonMarkdown(comparisonOf([item]), 'x')).toContain(
      '- create `feature:A/F` · `catalog/all.yaml:1` · touches 1 live entitlement\n',
    )
  })

  test('folds warnings, each once', () => {
    const warning = { key: 'product:A', path: '/features/F/value', code: 'value_type', message: '"5" is no Boolean' }
    const comparison = comparisonOf([updated('product', 'product:A', 'name', 'x', 'y')], {
      report: { warnings: [warning, { ...warning, path: '/features/G/value' }] },
    })
    expect(comparisonMarkdown(comparison, 'x')).toContain(
      '<summary>1 warning</summary>\n\n```text\ncatalog/all.yaml:2:5: features/F/value: "5" is no Boolean (2 places, this is the first)\n```',
    )
  })

  test.each([
    ['10,000 updates', 10_000, 1],
    ['40 updates of 2,000 fields', 40, 2000],
  ])('of %s stays within the limit, is cut between items and counts what is missing', (_name, count, fields) => {
    const changes = Array.from({ length: fields }, (_, index) => ({
      path: `/f${index}`,
      before: 'a'.repeat(90),
      after: 'b',
    }))
    const items = Array.from({ length: count }, (_, index) => ({
      kind: index % 2 === 0 ? 'product' : 'feature',
      key: `product:${index}`,
      action: 'update' as const,
      changes,
    }))
    let asked = 0
    const comparison = comparisonOf(items)
    const { placeOf } = comparison
    const markdown = comparisonMarkdown(
      {
        ...comparison,
        placeOf: (key, path) => {
          asked++
          return placeOf(key, path)
        },
      },
      'production',
    )
    expect(markdown.length).toBeLessThanOrEqual(mostCharacters)
    expect(markdown.length).toBeGreaterThan(mostCharacters * 0.7)
    expect(asked).toBeLessThan(3000)
    const shown = markdown.match(/^- update /gm)?.length ?? 0
    const missing = [...markdown.matchAll(/^… and (\d+) more items? not shown here\.$/gm)].map((match) =>
      Number(match[1]),
    )
    expect(shown + missing.reduce((sum, each) => sum + each, 0)).toBe(count)
    expect(markdown.match(/<details>/g)).toHaveLength(2)
    expect(markdown.match(/<\/details>/g)).toHaveLength(2)
    if (fields > 50) expect(markdown).toContain('\n  - … and 1950 more fields\n')
  })

  test('shows what touches entitlements when it cannot show everything', () => {
    const items = Array.from({ length: 5000 }, (_, index) => updated('product', `product:${index}`, 'name', 'x', 'y'))
    items.push(touching(updated('entitlementOffer', 'offer:LAST', 'name', 'x', 'y'), 7))
    expect(comparisonMarkdown(comparisonOf(items), 'x')).toContain('`offer:LAST` · ')
  })
})

describe('a refusal as markdown', () => {
  const finding = {
    severity: 'error' as const,
    file: 'catalog/a.yaml',
    line: 4,
    col: 24,
    message: 'there is no `x`\n# y',
    frame: '4 | ```\n  | ^^^',
  }

  test('names both sides and shows each finding with its line', () => {
    const refusal = { before: 'production', after: 'catalog', isCompared: true, findings: [finding] }
    expect(refusalMarkdown(refusal, 'production')).toBe(`<!-- licet:diff:production -->
**\`production\` would refuse \`catalog\`**: 1 error.

\`\`\`\`text
catalog/a.yaml:4:24 error: there is no \`x\`\\n# y
  4 | \`\`\`
    | ^^^
\`\`\`\`
`)
  })

  test('stays within the limit whatever is in it', () => {
    const findings = Array.from({ length: 20_000 }, () => ({ ...finding, message: '`'.repeat(5000) }))
    const refusal = { before: 'production', after: 'catalog', isCompared: false, findings }
    const markdown = refusalMarkdown(refusal, 'production')
    expect(markdown.length).toBeLessThanOrEqual(mostCharacters)
    expect(markdown).toMatch(/… and \d+ more findings not shown here\.\n$/)
    expect(markdown).toContain('`catalog` and `production` cannot be compared')
  })
})

describe('text from a catalog', () => {
  test.each([
    ['plain', '`plain`'],
    ['a`b', '``a`b``'],
    ['`', '`` ` ``'],
    ['``x``', '``` ``x`` ```'],
    [' x ', '`  x  `'],
    ['', '`  `'],
    ['two\nlines', '`two\\nlines`'],
    ['\u001b[31m\u202e', '`\\x1b[31m\\u{202e}`'],
    ['@user #12 <b> | [l](x)', '`@user #12 <b> | [l](x)`'],
  ])('%j is the code span %j', (text, span) => {
    expect(codeSpan(text)).toBe(span)
  })

  test('never leaves its code span, whatever it is', () => {
    const parts = fc.constantFrom(
      '`',
      '``',
      '|',
      '\n',
      '\r',
      '<b>',
      '-->',
      '@user',
      '#1',
      ' ',
      '\u202e',
      '[x](y)',
      '\\',
      'a',
    )
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 12 }), (pieces) => {
        const span = codeSpan(pieces.join(''))
        const [open = ''] = /^`+/.exec(span) ?? []
        const runs = [...span.matchAll(/`+/g)].filter(([run]) => run === open)
        // CommonMark: the span ends at the first run as long as the one that opens it.
        expect(runs.map(({ index }) => index)).toEqual([0, span.length - open.length])
        expect(span).not.toMatch(/[\p{Cc}\u202e]/u)
      }),
    )
  })

  test('never ends the block that it is in', () => {
    const block = codeBlock(['a', '````', '   `````', 'b\n```'])
    expect(block.split('\n')).toEqual(['``````text', 'a', '````', '   `````', 'b\\n```', '``````'])
  })

  test.each([
    ['production', '<!-- licet:diff:production -->'],
    ['git:origin/main:catalog', '<!-- licet:diff:git:origin/main:catalog -->'],
    ['x --> <script>', '<!-- licet:diff:x%20%2D-%3E%20%3Cscript%3E -->'],
    ['a---', '<!-- licet:diff:a%2D%2D%2D -->'],
    ['\ud800\n', '<!-- licet:diff:%EF%BF%BD%0A -->'],
  ])('the marker of %j is %s', (name, marker) => {
    expect(hiddenMarker(name)).toBe(marker)
  })
})
