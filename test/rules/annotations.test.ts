import { describe, expect, test } from 'vitest'
import { budget, withinBudget } from '../../cli/screens/formats/annotation-budget.ts'
import { changeCommands } from '../../cli/screens/formats/change-annotations.ts'
import { findingCommands } from '../../cli/screens/formats/finding-annotations.ts'
import {
  type Annotation,
  escapeData,
  escapeProperty,
  workflowCommand,
} from '../../cli/screens/formats/workflow-command.ts'
import type { ReportItem } from '../../cli/tasks/catalog-report.ts'
import { comparisonOf, updated } from '../support/comparisons.ts'

const asIs = (file: string) => file
const at = (line: number) => () => ({ file: 'a.yaml', line, col: 3, endLine: line, endCol: 9 })
const annotation = (message: string, more: Partial<Annotation> = {}): Annotation => ({
  level: 'error',
  title: 'product:A',
  message,
  place: at(1),
  ...more,
})
const byMessage = ({ message }: Annotation) => message
const many = (count: number, more: (index: number) => Partial<Annotation>) =>
  Array.from({ length: count }, (_, index) => annotation(`message ${index}`, more(index)))

/** Reads a workflow command as GitHub's runner does. */
function readCommand(line: string) {
  const [, level, written = '', data = ''] = /^::(\w+)(?: (.*?))?::(.*)$/s.exec(line) ?? []
  const plain = (text: string) =>
    text.replace(/%3A/g, ':').replace(/%2C/g, ',').replace(/%0D/g, '\r').replace(/%0A/g, '\n').replace(/%25/g, '%')
  const properties = written.split(',').map((each) => each.split(/=(.*)/s, 2) as [string, string])
  return {
    level,
    ...Object.fromEntries(properties.map(([name, value]) => [name, plain(value)])),
    message: plain(data),
  }
}

describe('a workflow command', () => {
  test('has its place, its title and its message on one line', () => {
    expect(workflowCommand(annotation('Wrong: a, b'), asIs)).toBe(
      '::error file=a.yaml,line=1,endLine=1,col=3,endColumn=9,title=product%3AA::Wrong: a, b',
    )
  })

  test.each([
    ['100%', '100%25', '100%25'],
    ['%0A', '%250A', '%250A'],
    ['a\r\nb', 'a%0D%0Ab', 'a%0D%0Ab'],
    ['a:b,c', 'a:b,c', 'a%3Ab%2Cc'],
    ['::error::x', '::error::x', '%3A%3Aerror%3A%3Ax'],
  ])('escapes %j', (text, data, property) => {
    expect(escapeData(text)).toBe(data)
    expect(escapeProperty(text)).toBe(property)
  })

  test.each(['x\n::error::injected', '%0A::stop-commands::y', 'a,file=/etc/passwd', 'x::y', '\u001b[31m', 'ü 100% 😀'])(
    'says %j in every part and nothing else',
    (text) => {
      const place = () => ({ file: `${text.replace(/\p{Cc}/gu, '')}.yaml`, line: 2, col: 1 })
      const line = workflowCommand({ level: 'warning', title: text, message: text, place }, asIs)
      expect(line).not.toMatch(/\p{Cc}/u)
      expect(readCommand(line)).toMatchObject({
        level: 'warning',
        file: place().file,
        line: '2',
        title: text.replace('\n', '\\n').replace('\u001b', '\\x1b'),
        message: text.replace('\u001b', '\\x1b'),
      })
    },
  )

  test('leaves out columns of what spans lines, and says the place in words where GitHub does not know the file', () => {
    const spanning = workflowCommand(
      annotation('x', { place: () => ({ file: 'a', line: 1, col: 2, endLine: 3, endCol: 4 }) }),
      asIs,
    )
    expect(spanning).toBe('::error file=a,line=1,endLine=3,title=product%3AA::x')
    expect(workflowCommand(annotation('x'), () => undefined)).toBe('::error title=product%3AA::a.yaml:1: x')
    expect(workflowCommand(annotation('x', { place: () => undefined }), asIs)).toBe('::error title=product%3AA::x')
  })

  test('is no longer than GitHub shows', () => {
    expect(workflowCommand(annotation('m'.repeat(100_000), { title: 't'.repeat(100_000) }), asIs).length).toBeLessThan(
      2300,
    )
  })
})

describe("GitHub's budget of annotations", () => {
  test('is kept for each level on its own, the worst first', () => {
    const given = [
      ...many(10, () => ({ level: 'notice' })),
      ...many(10, () => ({ level: 'error' })),
      ...many(10, () => ({ level: 'warning' })),
    ]
    const shown = withinBudget(given, [byMessage], '')
    expect(shown.map(({ level }) => level).join(' ')).toBe(
      [...Array(10).fill('error'), ...Array(10).fill('warning'), ...Array(10).fill('notice')].join(' '),
    )
    expect(shown.map(({ message }) => message).slice(0, 3)).toEqual(['message 0', 'message 1', 'message 2'])
  })

  test('leaves repeats apart while there is room', () => {
    expect(withinBudget([annotation('same'), annotation('same', { place: at(5) })], [byMessage], '')).toHaveLength(2)
  })

  test('lets repeats share one when there is not, with the places of the others', () => {
    const given = [
      ...many(9, () => ({})),
      ...Array.from({ length: 8 }, (_, index) => annotation('same', { place: at(index + 1) })),
    ]
    const shown = withinBudget(given, [byMessage], '')
    expect(shown).toHaveLength(10)
    expect(shown[9]).toMatchObject({
      title: 'product:A (8 times)',
      message: 'same\nAlso a.yaml:2, a.yaml:3, a.yaml:4, a.yaml:5, a.yaml:6, and 2 more.',
    })
    expect(shown[9]!.place()).toMatchObject({ line: 1 })
  })

  test('says in the last one how many are not shown, shared ones counted', () => {
    const given = [...many(20, () => ({})), annotation('message 19'), annotation('message 19')]
    const shown = withinBudget(given, [byMessage], 'Elsewhere.')
    expect(shown).toHaveLength(budget)
    expect(shown[9]).toMatchObject({ title: '13 more errors', message: 'GitHub shows 10 errors of a step. Elsewhere.' })
    expect(shown[9]!.place()).toBeUndefined()
  })
})

describe('findings as annotations', () => {
  test('have their place, the item or the rule as title, and their path where they have no place', () => {
    const lines = findingCommands(
      [
        { severity: 'warning', key: 'product:A', path: '/name', message: 'odd' },
        {
          severity: 'error',
          codeName: 'file.tag',
          file: 'x.yaml',
          line: 2,
          col: 3,
          endLine: 2,
          endCol: 4,
          message: 'no',
        },
      ],
      asIs,
      '',
    )
    expect(lines).toEqual([
      '::error file=x.yaml,line=2,endLine=2,col=3,endColumn=4,title=file.tag::no',
      '::warning title=product%3AA::/name: odd',
    ])
  })
})

describe('changes as annotations', () => {
  const touching = (item: ReportItem, entitlements: number): ReportItem => ({ ...item, affects: { entitlements } })

  test('are warnings where they hurt, what touches most first; else notices, updates first', () => {
    const comparison = comparisonOf(
      [
        { kind: 'tag', key: 'tag:Product/new', action: 'create' },
        updated('planSet', 'plan-set:A/Standard', 'plans/Pro/monthlyPrice', 49, 59),
        updated('feature', 'feature:A/F', 'lifecycleStatus', 'Published', 'Archived'),
        updated('product', 'product:A', 'name', 'Old', 'New'),
        touching(updated('product', 'product:B', 'name', 'Old', 'New'), 3),
        touching(updated('product', 'product:C', 'name', 'Old', 'New'), 30),
        { kind: 'product', key: 'product:SAME', action: 'unchanged' },
      ],
      { report: { warnings: [{ key: 'product:A', path: '/features/F/value', code: 'value_type', message: 'odd' }] } },
    )
    expect(changeCommands(comparison, asIs, '')).toEqual(
      [
        '::warning file=FILE,line=52,endLine=52,col=5,endColumn=9,title=update product%3AC::name: "Old" → "New"; touches 30 live entitlements',
        '::warning file=FILE,line=42,endLine=42,col=5,endColumn=9,title=update product%3AB::name: "Old" → "New"; touches 3 live entitlements',
        '::warning file=FILE,line=32,endLine=32,col=5,endColumn=9,title=product%3AA::odd',
        '::warning file=FILE,line=12,endLine=12,col=5,endColumn=9,title=update plan-set%3AA/Standard::plans/Pro/monthlyPrice: 49 → 59 (a price change)',
        '::warning file=FILE,line=22,endLine=22,col=5,endColumn=9,title=update feature%3AA/F::lifecycleStatus: "Published" → "Archived" (ends what is sold)',
        '::notice file=FILE,line=32,endLine=32,col=5,endColumn=9,title=update product%3AA::name: "Old" → "New"',
        '::notice file=FILE,line=1,endLine=1,col=5,endColumn=9,title=create tag%3AProduct/new::Importing would create it in production',
      ].map((line) => line.replace('FILE', 'catalog/all.yaml')),
    )
  })

  test('of a side without files have no place', () => {
    const comparison = comparisonOf([updated('product', 'product:A', 'name', 'x', 'y')], { placeOf: () => undefined })
    expect(changeCommands(comparison, asIs, '')).toEqual(['::notice title=update product%3AA::name: "x" → "y"'])
  })

  test('share a place by item when there are too many fields', () => {
    const items = ['A', 'B', 'C'].map((code, before) => ({
      kind: 'product',
      key: `product:${code}`,
      action: 'update' as const,
      changes: ['a', 'b', 'c', 'd'].map((field) => ({ path: `/${field}`, before, after: field })),
    }))
    const lines = changeCommands(comparisonOf(items), asIs, '').map(readCommand)
    expect(lines.map(({ message }) => message)).toEqual(
      [0, 1, 2].map((before) => ['a', 'b', 'c', 'd'].map((field) => `${field}: ${before} → "${field}"`).join('\n')),
    )
  })

  test('of 10,000 items are ten, and only those are looked for in the files', () => {
    const items = Array.from({ length: 10_000 }, (_, index) =>
      updated('product', `product:${index}`, 'name', 'x', `y${index}`),
    )
    let asked = 0
    const comparison = comparisonOf(items)
    const lines = changeCommands(
      {
        ...comparison,
        placeOf: (key, path) => {
          asked++
          return comparison.placeOf(key, path)
        },
      },
      asIs,
      'Elsewhere.',
    )
    expect(lines).toHaveLength(10)
    expect(lines[9]).toBe('::notice title=9991 more notices::GitHub shows 10 notices of a step. Elsewhere.')
    expect(asked).toBeLessThan(100)
  })
})
