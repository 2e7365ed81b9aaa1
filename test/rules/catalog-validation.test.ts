import { describe, expect, test } from 'vitest'
import { validateCatalog } from '../../cli/tasks/validate.ts'

const validate = (files: Record<string, string>) =>
  validateCatalog({
    files: Object.entries(files).map(([name, text]) => ({ name, bytes: new TextEncoder().encode(text) })),
    refusals: [],
  })
const told = (files: Record<string, string>) =>
  validate(files).findings.map(
    ({ file, line, col, severity, codeName, message }) => `${file}:${line}:${col} ${severity} ${codeName} ${message}`,
  )

const product = "products:\n  - productCode: CAD\n    productVersion: '2.0'\n    name: CAD\n"
const feature =
  "featureCatalog:\n  - productCode: CAD\n    productVersion: '2.0'\n    featureCode: EXPORT\n    name: Export\n"

describe('a catalog without a server', () => {
  test('names both places of a key that occurs twice as people open them', () => {
    const files = ['a.yaml', 'b.yaml'].map((name) => ({ name, bytes: new TextEncoder().encode(product) }))
    const [found] = validateCatalog({ files, refusals: [] }, (name) => `catalog/${name}`).findings
    expect(found).toMatchObject({
      file: 'catalog/b.yaml',
      message: 'product:CAD@2.0 occurs twice; it is already at catalog/a.yaml:2:18',
    })
  })

  test('is sound when every name is answered', () => {
    const planSet = `plans:
  - suiteCode: CAD@2.0
    name: Standard
    plans:
      - name: Pro
        lineItems:
          - featureValues:
              - featureCode: EXPORT
                value: 'true'
`
    expect(validate({ 'a.yaml': product, 'b.yaml': feature, 'c.yaml': planSet })).toEqual({
      findings: [],
      items: 3,
      files: 3,
    })
  })

  const table: [name: string, files: Record<string, string>, expected: string[]][] = [
    [
      'once, a name that is misspelt or not quoted, and not whoever means it',
      {
        'a.yaml':
          "products:\n  - productCode: CAD\n    productVersion: 2.0\n    features: [{featureCod: SEATS}]\nsuites:\n  - cod: ALL\n    members: [{productCode: CAD, productVersion: '2.0'}]\n",
        'b.yaml': `${feature}plans:\n  - suiteCode: CAD@2.0\n    name: S\n    plans: [{name: A, lineItems: [{featureValues: [{featureCode: SEATS, value: '1'}]}]}]\n  - {suiteCode: ALL, name: T}\n`,
      },
      [
        'a.yaml:3:21 error license.validation_error "productVersion" must be text, and an unquoted 2.0 is the number 2; write \'2.0\'',
        'a.yaml:4:16 error license.validation_error "features" "featureCode" is missing',
        'a.yaml:4:17 error license.validation_error there is no field "featureCod" here; did you mean "featureCode"?',
        'a.yaml:6:5 error license.validation_error "code" is missing',
        'a.yaml:6:5 error license.validation_error there is no field "cod" here; did you mean "code"?',
      ],
    ],
    [
      'all that is wrong with an item, its misspelt fields and its rules',
      {
        'a.yaml': product,
        'b.yaml':
          'plans:\n  - suiteCode: CAD@2.0\n    name: S\n    descripton: x\n    plans:\n      - {name: A, monthlyPrice: -5, sortOrdr: 1}\n      - {name: B, monthlyPrice: 5, currency: euro}\n      - {name: B}\n      - {name: C, lineItems: [{productCode: CAM}]}\n',
      },
      [
        'b.yaml:4:5 error license.validation_error there is no field "descripton" here; did you mean "description"?',
        'b.yaml:6:33 error license.validation_error "monthlyPrice" must be 0 or more',
        'b.yaml:6:37 error license.validation_error there is no field "sortOrdr" here; did you mean "sortOrder"?',
        'b.yaml:7:46 error license.validation_error must be an ISO 4217 code such as EUR',
        'b.yaml:8:9 error catalog.duplicate_key "B" stands twice in this list; it is already at b.yaml:7:9',
        'b.yaml:9:45 error catalog.unresolved_reference there is no product:CAM in these files; what only the environment has is named under "references" as External',
        'b.yaml:9:45 error license.validation_error CAM is not a member of suite "CAD@2.0"',
      ],
    ],
    [
      'an unquoted version',
      { 'a.yaml': 'products:\n  - productCode: CAD\n    productVersion: 1.10\n' },
      [
        'a.yaml:3:21 error license.validation_error "productVersion" must be text, and an unquoted 1.10 is the number 1.1; write \'1.10\'',
      ],
    ],
    [
      'once, what YAML reads as no number',
      { 'a.yaml': 'products:\n  - {productCode: CAD, productVersion: 012, isLocked: .nan}\n' },
      [
        "a.yaml:2:40 error file.leading-zero 012 starts with a zero, which readers take for octal or drop; write 12, or '012' for text.",
        'a.yaml:2:55 error file.not-finite .nan is not a finite number; quote it if it is text.',
      ],
    ],
    [
      'a key that is refused, and what is missing in the item that begins with it',
      { 'a.yaml': 'products:\n  - 1: x\n    name: CAD\n' },
      [
        "a.yaml:2:5 error file.non-string-key A key must be text, and this one is not; quote it: '1'.",
        'a.yaml:2:5 error license.validation_error "productCode" is missing',
      ],
    ],
    [
      'a merge conflict, and nothing that follows from it',
      { 'a.yaml': `${product}<<<<<<< HEAD\n    status: Published\n=======\n    status: Gone\n>>>>>>> theirs\n` },
      [
        'a.yaml:5:1 error file.merge-conflict A merge conflict is not resolved here: keep what is to hold, and remove the lines <<<<<<<, ======= and >>>>>>>.',
      ],
    ],
    [
      'an unquoted truth value for a text',
      { 'a.yaml': 'products:\n  - productCode: TRUE\n' },
      [
        'a.yaml:2:18 error license.validation_error "productCode" must be text, and an unquoted TRUE is the truth value true; write \'TRUE\'',
      ],
    ],
    [
      'an unquoted number where text is kept',
      {
        'a.yaml': `${product}    features:\n      - {featureCode: X, featureType: Text, value: 1.10}\n      - {featureCode: Y, featureType: Text, value: 1.5}\n`,
      },
      [
        'a.yaml:6:52 error license.validation_error "value" is kept as text, and an unquoted 1.10 is the number 1.1; write \'1.10\'',
      ],
    ],
    [
      'a misspelt field, at its key',
      { 'a.yaml': 'products:\n  - productCode: CAD\n    descripton: x\n' },
      ['a.yaml:3:5 error license.validation_error there is no field "descripton" here; did you mean "description"?'],
    ],
    [
      'a misspelt value',
      { 'a.yaml': 'products:\n  - productCode: CAD\n    status: publishd\n' },
      [
        expect.stringMatching(
          /^a\.yaml:3:13 error .*"status" must be one of .*; did you mean "Published"\?$/,
        ) as unknown as string,
      ],
    ],
    [
      'a missing field, at the item',
      { 'a.yaml': 'products:\n  - name: x\n' },
      ['a.yaml:2:5 error license.validation_error "productCode" is missing'],
    ],
    [
      'a key that occurs twice, naming the other place',
      { 'a.yaml': product, 'b/c.yaml': `# comment\n${product}` },
      ['b/c.yaml:3:18 error catalog.duplicate_key product:CAD@2.0 occurs twice; it is already at a.yaml:2:18'],
    ],
    [
      'a tag that differs in letter case only',
      { 'a.yaml': 'tags:\n  - {scope: Product, name: Beta}\n  - {scope: Product, name: BETA}\n' },
      ['a.yaml:3:28 error catalog.duplicate_key tag:Product/BETA occurs twice; it is already at a.yaml:2:28'],
    ],
    [
      'a reference that nothing answers, with the nearest key',
      { 'a.yaml': product, 'b.yaml': feature.replace('productCode: CAD', 'productCode: CDA') },
      [
        expect.stringMatching(
          /^b\.yaml:2:18 error catalog\.unresolved_reference .*product:CDA@2\.0.*; did you mean product:CAD@2\.0\?$/,
        ) as unknown as string,
      ],
    ],
    [
      'a misspelt feature in a line item whose product is understood',
      {
        'a.yaml': product,
        'b.yaml': feature,
        'c.yaml':
          'plans:\n  - suiteCode: CAD@2.0\n    name: S\n    plans:\n      - {name: Pro, lineItems: [{featureValues: [{featureCode: EXPROT}]}]}\n',
      },
      [
        expect.stringMatching(
          /^c\.yaml:5:\d+ error catalog\.unresolved_reference .*feature:CAD@2\.0\/EXPROT.*; did you mean feature:CAD@2\.0\/\w+\?$/,
        ) as unknown as string,
      ],
    ],
    [
      'a rule that a schema cannot say',
      {
        'a.yaml': product,
        'b.yaml': 'plans:\n  - suiteCode: CAD@2.0\n    name: S\n    plans:\n      - {name: Pro, monthlyPrice: 5}\n',
      },
      [expect.stringMatching(/^b\.yaml:5:\d+ error license\.validation_error /) as unknown as string],
    ],
    [
      'a syntax error, without what only follows from it',
      { 'a.yaml': product.replace('name: CAD', 'name: [CAD'), 'b.yaml': feature },
      [expect.stringMatching(/^a\.yaml:5:1 error file\.syntax /) as unknown as string],
    ],
    [
      'a misshapen item, without what only follows from it',
      { 'a.yaml': product.replace('name: CAD', 'nam: CAD'), 'b.yaml': feature },
      ['a.yaml:4:5 error license.validation_error there is no field "nam" here; did you mean "name"?'],
    ],
    [
      'a trial that is over at once, and a lease too short to be renewed',
      {
        'a.yaml':
          'entitlementOffers:\n  - name: Trial\n    trialPolicy:\n      duration: PT0S\n    licensePolicy: {leaseTime: PT0.5S, graceTime: PT0S}\n    renewalPolicy: {expiringNotice: P0D}\n',
      },
      [
        'a.yaml:4:17 error license.validation_error "duration" must be a second or longer',
        'a.yaml:5:32 error license.validation_error "leaseTime" must be a second or longer',
      ],
    ],
    [
      'another format',
      { 'a.yaml': "formatVersion: '9.0'\n" },
      [expect.stringMatching(/^a\.yaml:1:16 error catalog\.format_version /) as unknown as string],
    ],
    [
      'a section that does not exist in the scope',
      { 'a.yaml': `scope: [product]\n${product}` },
      [
        'a.yaml:1:9 error license.validation_error "scope": must be one of tags, products, featureCatalog, monitoredAssets, suites, plans, addOns, entitlementOffers, ratingCampaigns; did you mean "products"?',
      ],
    ],
    [
      'a reference that says nothing',
      { 'a.yaml': `references: {"product:X": null}\n${product}` },
      ['a.yaml:1:27 error license.validation_error "references": must be an object, not null'],
    ],
    [
      'a member that stands twice',
      {
        'a.yaml': `${product}plans:\n  - suiteCode: CAD@2.0\n    name: S\n    plans:\n      - name: Pro\n      - name: Pro\n`,
      },
      ['a.yaml:10:9 error catalog.duplicate_key "Pro" stands twice in this list; it is already at a.yaml:9:9'],
    ],
    [
      'a feature misspelt in a field, once, and not again where others name it',
      {
        'a.yaml': `${product}    features:\n      - featureCode: EXPORT\n${feature}    visibility: public
addOns:
  - {code: A, suiteCode: CAD@2.0, featureValues: [{featureCode: EXPORT, value: 'true'}]}
ratingCampaigns:
  - {name: R, targets: [{productCode: CAD, productVersion: '2.0', featureCode: EXPORT}]}
`,
        'b.yaml': `products:\n  - productCode: B\nfeatureCatalog:\n  - {productCode: B, featureCode: F, visibility: public}
addOns:\n  - {code: B, suiteCode: B, featureValues: [{featureCode: F, value: 'true'}]}\n`,
      },
      [
        'a.yaml:12:17 error license.validation_error "visibility" must be one of Public, Internal; did you mean "Public"?',
        'b.yaml:4:50 error license.validation_error "visibility" must be one of Public, Internal; did you mean "Public"?',
      ],
    ],
  ]
  test.each(table)('%s is told at its place', (_name, files, expected) => {
    expect(told(files)).toEqual(expected)
  })

  test('everything is told at once, in the order of files and lines, each once', () => {
    const findings = told({
      'b.yaml': 'products:\n  - productCode: 5\n    x: 1\nfoo: []\n',
      'a.yaml': 'tags:\n  - {scope: Product, name: A, name: A}\n  - {scope: Prodct, name: B}\n',
      'c.yaml': 'featureCatalog:\n  - {productCode: NONE, featureCode: F}\n',
    })
    expect(findings.map((text) => text.split(' ').slice(0, 3).join(' '))).toEqual([
      'a.yaml:2:31 error file.duplicate-key',
      'a.yaml:3:13 error license.validation_error',
      'b.yaml:2:18 error license.validation_error',
      'b.yaml:3:5 error license.validation_error',
      'b.yaml:4:1 error file.unknown-section',
      'c.yaml:2:19 error catalog.unresolved_reference',
    ])
  })

  test('what is marked External is taken on trust', () => {
    const references =
      'references:\n  product:CAD@2.0: {kind: product, presence: External, naturalKey: {}, referencedBy: []}\n'
    expect(told({ 'a.yaml': feature + references })).toEqual([])
  })

  test('a finding shows its line', () => {
    const [finding] = validate({ 'a.yaml': 'products:\n  - productCode: CAD\n    productVersion: 1.10\n' }).findings
    expect(finding).toMatchObject({
      key: 'product:CAD',
      pointer: '/products/0/productVersion',
      suggestion: "'1.10'",
      frame: '3 |     productVersion: 1.10\n  |                     ^^^^',
    })
  })

  test('the order of files and keys, and CR LF, change nothing but the places', () => {
    const one = validate({ 'a.yaml': product, 'b.yaml': feature })
    const other = validate({ 'b.yaml': product.replaceAll('\n', '\r\n'), 'a.yaml': feature.replaceAll('\n', '\r\n') })
    expect(one).toEqual(other)
  })
})
