import { describe, expect, test } from 'vitest'
import { ruleCodes } from '../../catalog-schema/rules/codes.ts'
import type { Finding } from '../../cli/catalog-files/findings.ts'
import { findingRules } from '../../cli/screens/formats/finding-rules.ts'
import { sarifLog } from '../../cli/screens/formats/sarif.ts'
import { validateCatalog } from '../../cli/tasks/validate.ts'

const asIs = (file: string) => file
const finding: Finding = {
  file: 'catalog/a.yaml',
  line: 4,
  col: 5,
  endLine: 4,
  endCol: 9,
  severity: 'error',
  code: 2000,
  codeName: 'license.validation_error',
  key: 'product:A',
  pointer: '/products/3/features/0/value',
  message: 'is wrong',
  frame: '4 | x\n  | ^',
}
const resultsOf = (findings: Finding[], pathOf = asIs as (file: string) => string | undefined) =>
  sarifLog(findings, pathOf).runs[0]!.results!
const validate = (text: string) =>
  validateCatalog({ files: [{ name: 'a.yaml', bytes: Buffer.from(text) }], refusals: [] }).findings

describe('a SARIF log', () => {
  test('has one run, whose rules have help, whether there are findings or not', () => {
    for (const findings of [[], [finding]]) {
      const { version, runs } = sarifLog(findings, asIs)
      expect([version, runs.length, runs[0]!.columnKind]).toEqual(['2.1.0', 1, 'utf16CodeUnits'])
      expect(runs[0]!.originalUriBaseIds).toEqual({ '%SRCROOT%': { description: expect.anything() } })
      expect(runs[0]!.results).toHaveLength(findings.length)
      for (const rule of runs[0]!.tool.driver.rules!) {
        expect(rule.shortDescription?.text, rule.id).toMatch(/\.$/)
        expect(rule.help?.text, rule.id).toMatch(/\.$/)
      }
    }
  })

  test('places a finding from the root of the repository, lines and columns counted from 1, the end exclusive', () => {
    expect(resultsOf([finding])).toEqual([
      {
        ruleId: 'license.validation_error',
        ruleIndex: 0,
        level: 'error',
        message: { text: 'is wrong' },
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: 'catalog/a.yaml', uriBaseId: '%SRCROOT%' },
              region: { startLine: 4, startColumn: 5, endLine: 4, endColumn: 9 },
            },
            logicalLocations: [{ fullyQualifiedName: 'product:A', kind: 'member' }],
          },
        ],
        partialFingerprints: { primaryLocationLineHash: expect.stringMatching(/^[0-9a-f]{16}:1$/) },
      },
    ])
  })

  test.each([
    ['catalog/a b#c?.yaml', asIs, { uri: 'catalog/a%20b%23c%3F.yaml', uriBaseId: '%SRCROOT%' }],
    ['ü/a:b.yaml', asIs, { uri: '%C3%BC/a%3Ab.yaml', uriBaseId: '%SRCROOT%' }],
    ['stdin', () => undefined, { uri: 'stdin' }],
    ['/elsewhere/a.yaml', () => undefined, { uri: 'file:///elsewhere/a.yaml' }],
  ])('names the file %s by a URI', (file, pathOf, artifactLocation) => {
    const [result] = resultsOf([{ ...finding, file }], pathOf)
    expect(result!.locations![0]!.physicalLocation!.artifactLocation).toEqual(artifactLocation)
  })

  test.each([
    ['see [here](http://x)', String.raw`see \[here\](http://x)`],
    ['one of [a, b]', 'one of [a, b]'],
    ['\u001b[31mred', String.raw`\x1b[31mred`],
  ])('shows the message %j without a link', (message, text) => {
    expect(resultsOf([{ ...finding, message }])[0]!.message.text).toBe(text)
  })

  test('describes every rule that a finding can break', () => {
    for (const code of Object.keys(ruleCodes)) expect(Object.keys(findingRules)).toContain(code)
    const unknown = sarifLog([{ ...finding, codeName: 'new.rule' }], asIs).runs[0]!
    const { ruleId, ruleIndex } = unknown.results![0]!
    expect(unknown.tool.driver.rules![ruleIndex!]!.id).toBe(ruleId)
  })
})

describe('the fingerprint of a finding', () => {
  const fingerprints = (text: string) => resultsOf(validate(text)).map(({ partialFingerprints }) => partialFingerprints)
  const broken = '  - productCode: B\n    nmae: x\n  - productCode: C\n    status: Odd\n    tags: 1\n'

  test('stays the same when lines and items move', () => {
    const before = fingerprints(`products:\n${broken}`)
    expect(before).toHaveLength(3)
    expect(fingerprints(`# a comment\n\nproducts:\n  - productCode: A\n    name: A\n${broken}`)).toEqual(before)
  })

  test('is of its own for each finding, also where two are alike', () => {
    const all = [
      ...resultsOf([
        finding,
        finding,
        { ...finding, codeName: 'x' },
        { ...finding, file: 'b' },
        { ...finding, key: 'product:B' },
      ]),
    ].map(({ partialFingerprints }) => partialFingerprints?.primaryLocationLineHash)
    expect(new Set(all).size).toBe(5)
  })

  test('of a finding about no item is of the text of its line', () => {
    const before = fingerprints('products: []\nmore: 1\nother: 2\n')
    expect(before).toHaveLength(2)
    expect(fingerprints('products: []\n\n\n\n\n\n\n\n\nmore: 1\nother: 2\n')).toEqual(before)
  })
})
