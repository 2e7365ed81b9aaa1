import { expect, test } from 'vitest'
import type { Snapshot } from '../../catalog-schema/snapshot.ts'
import { planWriting } from '../../cli/catalog-files/writing-plan.ts'
import { exportedText, planExport, readCatalogFile } from '../support/exported-text.ts'
import { expectGrowthBelow } from '../support/growth.ts'
import { largeCatalog } from '../support/large-catalog.ts'

const product = (fields: object) => ({ products: [{ productCode: 'A', name: 'A', ...fields }] })

const inYaml: [what: string, given: string, environment: Partial<Snapshot>, expected: string][] = [
  [
    'a value in double quotes stays in them',
    'products:\n- {"productCode": "A", "name": "Old"} # c\n',
    product({}),
    'products:\n- {"productCode": "A", "name": "A"} # c\n',
  ],
  [
    'a plain value gets quotes where it needs them',
    'products:\n  - productCode: A\n    name: Old   # c\n',
    product({ name: '1.10' }),
    "products:\n  - productCode: A\n    name: '1.10'   # c\n",
  ],
  [
    'a value that becomes null, or what it is by default, is written: absent would mean left as it is',
    'products:\n  - productCode: A\n    name: A\n    status: Published # c\n    description: x\n    tags: [ t ]\n',
    product({}),
    'products:\n  - productCode: A\n    name: A\n    status: Draft # c\n    description: null\n    tags: []\n',
  ],
  [
    'a field that comes stands where the schema has it, indented like its neighbours',
    'products:\n-   productCode: A\n    # shown\n    name: A # c\n    # locked\n    isLocked: false\n',
    product({ description: 'x', status: 'Published', tags: ['t'] }),
    'products:\n-   productCode: A\n    # shown\n    name: A # c\n    description: x\n    status: Published\n    # locked\n    isLocked: false\n    tags:\n    - t\n',
  ],
  [
    'a literal block stays one, with its comment and line breaks',
    'products:\r\n  - productCode: A\r\n    description: | # why\r\n        one\r\n        two\r\n    name: A\r\n',
    product({ description: 'three\nfour' }),
    'products:\r\n  - productCode: A\r\n    description: |- # why\r\n        three\r\n        four\r\n    name: A\r\n',
  ],
  [
    'a folded block is folded again',
    'products:\n  - productCode: A\n    name: A\n    description: >-\n      all of this is one paragraph that was broken\n      by hand\n',
    product({ description: 'all of this is one paragraph that was broken by nobody\nand another' }),
    'products:\n  - productCode: A\n    name: A\n    description: >-\n      all of this is one paragraph that was broken\n      by nobody\n\n      and another\n',
  ],
  [
    'a block becomes null, and null a block',
    'products:\n  - productCode: A\n    description: | # why\n      one\n      two\n\n    name: A\n    externalId: ~ # id\n',
    product({ externalId: 'x\ny' }),
    'products:\n  - productCode: A\n    description: null # why\n\n    name: A\n    externalId: |- # id\n      x\n      y\n',
  ],
  [
    'a member of a list goes with its comments, and the others keep theirs and their places',
    `products:
  - productCode: A
    name: A
    features: # all
      # the second
      - featureCode: TWO # 2
        value: 5

      # the gone
      - featureCode: GONE # 0
        value: old
        # its end

      # the first
      - featureCode: ONE
`,
    product({
      features: [{ featureCode: 'ONE', value: 'x' }, { featureCode: 'THREE' }, { featureCode: 'TWO', value: '7' }],
    }),
    `products:
  - productCode: A
    name: A
    features: # all
      # the second
      - featureCode: TWO # 2
        value: 7

      # the first
      - featureCode: ONE
        value: x
      - featureCode: THREE
`,
  ],
  [
    'flow lists are edited in flow style, over one line and over several',
    'products:\n  - {productCode: A, name: A, tags: [a, b], applicationScopes: [\n      one, # 1\n      two # 2\n    ]}\n',
    product({ tags: ['a', 'c'], applicationScopes: ['one', 'two', 'three'] }),
    'products:\n  - {productCode: A, name: A, tags: [a, c], applicationScopes: [\n      one, # 1\n      two, # 2\n      three\n    ]}\n',
  ],
  [
    'the order of options is what the environment has',
    'featureCatalog:\n  - productCode: A\n    featureCode: F\n    name: F\n    enumOptions:\n      - value: L # large\n      # small\n      - value: S\n',
    {
      featureCatalog: [
        { productCode: 'A', featureCode: 'F', name: 'F', enumOptions: [{ value: 'S' }, { value: 'L' }] },
      ],
    },
    'featureCatalog:\n  - productCode: A\n    featureCode: F\n    name: F\n    enumOptions:\n      # small\n      - value: S\n      - value: L # large\n',
  ],
  [
    'new items stand in the order of keys, new sections in that of an import, set apart like the others',
    '# ours\n\nproducts:\n  - productCode: A\n    name: A\n\nmonitoredAssets:\n  - productCode: A\n    metricName: a\n\n  - productCode: A\n    metricName: c\n# the end',
    {
      ...product({}),
      featureCatalog: [{ productCode: 'A', featureCode: 'F', name: 'F' }],
      monitoredAssets: ['a', 'b', 'c', 'd'].map((name) => ({ productCode: 'A', metricName: name, name })),
    },
    `# ours

products:
  - productCode: A
    name: A

featureCatalog:
  - productCode: A
    featureCode: F
    name: F

monitoredAssets:
  - productCode: A
    metricName: a

  - productCode: A
    metricName: b
    name: b

  - productCode: A
    metricName: c

  - productCode: A
    metricName: d
    name: d
# the end`,
  ],
  [
    'a line of what was the one member of a suite names it once there are more, and keeps its comments',
    `suites:
- code: S
  name: S
  members: [{productCode: A}]
plans:
- suiteCode: S
  name: P
  plans:
  - name: Pro
    lineItems: [
      # most of it
      { featureValues: [ ] } # none yet
     ]
`,
    {
      suites: [{ code: 'S', name: 'S', members: [{ productCode: 'A' }, { productCode: 'B' }] }],
      plans: [{ suiteCode: 'S', name: 'P', plans: [{ name: 'Pro', lineItems: [{ productCode: 'A' }] }] }],
    } as never,
    `suites:
- code: S
  name: S
  members: [{productCode: A}, {productCode: B}]
plans:
- suiteCode: S
  name: P
  plans:
  - name: Pro
    lineItems: [
      # most of it
      { productCode: A, featureValues: [ ] } # none yet
     ]
`,
  ],
  [
    'where all members go and others come, what is said behind the key stays, and so do comments in a flow list',
    `products:
  - productCode: A
    name: A
    features: # all
      - featureCode: ONE # 1
      # the second
      - featureCode: TWO # 2
    tags: [ # ours
      a, # about a
      # more
      b # about b
      ]
    propertyValues: # of it
      p: {value: x} # p
`,
    product({ features: [{ featureCode: 'NEW' }], tags: ['c', 'd'], propertyValues: { q: { value: 'z' } } }),
    `products:
  - productCode: A
    name: A
    features: # all
      - featureCode: NEW
    tags: [ # ours
      c, d
      # more
      ]
    propertyValues: # of it
      q:
        value: z
`,
  ],
]

test.each(inYaml)('%s', (_what, given, environment, expected) => {
  expect(exportedText(given, environment)).toBe(expected)
})

const untouched: [what: string, given: string, environment: Partial<Snapshot>][] = [
  [
    'a number as text',
    'suites:\n- {code: S, name: S, members: [{productCode: A, sortOrder: "01.0e0"}]}\n',
    {
      suites: [{ code: 'S', name: 'S', members: [{ productCode: 'A', sortOrder: 1 }] }],
    },
  ],
  [
    'an instant with an offset',
    'products:\n- {productCode: A, name: A, expirationDate: "2026-01-01T01:00:00+01:00"}\n',
    product({ expirationDate: '2026-01-01T00:00:00Z' }),
  ],
  [
    'members in another order',
    'products:\n- productCode: A\n  name: A\n  tags: [b, a]\n  features: [{featureCode: B}, {featureCode: A}]\n',
    product({ tags: ['a', 'b'], features: [{ featureCode: 'A' }, { featureCode: 'B' }] }),
  ],
  ['a name that is the code', 'products:\n- productCode: A\n', product({})],
  [
    'a line about the only member',
    'products: [{productCode: A, name: A}]\nplans:\n- suiteCode: A\n  name: P\n  plans: [{name: X, lineItems: [{featureValues: []}]}]\n',
    {
      ...product({}),
      plans: [
        { suiteCode: 'A', name: 'P', plans: [{ name: 'X', lineItems: [{ productCode: 'A', productVersion: null }] }] },
      ],
    },
  ],
]
test.each(untouched)('a file is not touched for %s', (_what, given, environment) => {
  const plan = planExport(given, environment)
  expect([plan.writes, plan.unchanged, plan.conflicts]).toEqual([[], ['x.yaml'], []])
})

const inJson: [what: string, given: string, expected: string][] = [
  [
    'indented by a tab',
    '{\n\t"products": [\n\t\t{\n\t\t\t"productCode": "A",\n\t\t\t"name": "A"\n\t\t}\n\t]\n}',
    '{\n\t"products": [\n\t\t{\n\t\t\t"productCode": "A",\n\t\t\t"name": "B",\n\t\t\t"description": "x\\ny",\n\t\t\t"tags": [\n\t\t\t\t"t"\n\t\t\t]\n\t\t}\n\t]\n}',
  ],
  [
    'on one line',
    '{"products":[{"productCode":"A","name":"A"}]}\n',
    '{"products":[{"productCode":"A","name":"B","description":"x\\ny","tags":["t"]}]}\n',
  ],
]
test.each(inJson)('JSON stays JSON %s', (_what, given, expected) => {
  expect(exportedText(given, product({ name: 'B', description: 'x\ny', tags: ['t'] }), 'x.json')).toBe(expected)
})

test('an export over one large file takes time that grows with it', () => {
  const exportLarge = (items: number) => {
    const catalog = largeCatalog(items)
    const reading = readCatalogFile('x.json', JSON.stringify(catalog))
    const environment = structuredClone(catalog)
    for (const feature of environment.featureCatalog!)
      Object.assign(feature, { units: 'x', enumOptions: [{ value: 'M' }] })
    return () => expect(planWriting(reading, environment, { schema: 'x' }).writes.length).toBe(1)
  }
  expectGrowthBelow(32, exportLarge(100), exportLarge(800))
})
