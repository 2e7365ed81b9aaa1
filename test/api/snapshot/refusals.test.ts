import { beforeAll, describe, expect, test } from 'vitest'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { bodyOf, catalogOf, dumpOf, snapshotOf, wholeCatalog } from './scene.ts'

const cad = { productCode: 'ACME-CAD', productVersion: '2.0' }
const plansOf = (...plans: object[]) => ({ plans: [{ suiteCode: 'ACME-DESIGN', name: 'Other', plans }] })

type Case = [sentence: string, sections: object, code: number, codeName: string, key: string, path: string]

/** Well-formed snapshots that cannot be imported into the whole catalog, each with the first error it has. */
const refused: Case[] = [
  [
    'a reference to nothing',
    { plans: [{ suiteCode: 'NOWHERE', name: 'P', plans: [] }] },
    3004,
    'catalog.unresolved_reference',
    'plan-set:NOWHERE/P',
    '/suiteCode',
  ],
  [
    'a feature of a product that nobody has',
    { featureCatalog: [{ productCode: 'NOWHERE', featureCode: 'X' }] },
    3004,
    'catalog.unresolved_reference',
    'feature:NOWHERE/X',
    '/productCode',
  ],
  [
    'one key twice',
    { products: [{ productCode: 'TWICE' }, { productCode: 'TWICE' }] },
    3001,
    'catalog.duplicate_key',
    'product:TWICE',
    '/productCode',
  ],
  [
    'one tag twice in other casing',
    {
      tags: [
        { scope: 'Product', name: 'Twice' },
        { scope: 'Product', name: 'tWICE' },
      ],
    },
    3001,
    'catalog.duplicate_key',
    'tag:Product/tWICE',
    '/name',
  ],
  [
    'one member twice',
    plansOf({ name: 'A' }, { name: 'A' }),
    3001,
    'catalog.duplicate_key',
    'plan-set:ACME-DESIGN/Other',
    '/plans/A',
  ],
  [
    'a suite with the code of a product’s own',
    { suites: [{ code: 'ACME-CAD@2.0', members: [] }] },
    3001,
    'catalog.duplicate_key',
    'suite:ACME-CAD%402.0',
    '/code',
  ],
  [
    'a status that cannot be gone back to',
    { products: [{ ...cad, status: 'Draft' }] },
    3003,
    'catalog.invalid_transition',
    'product:ACME-CAD@2.0',
    '/status',
  ],
  [
    'a plan set back to Draft',
    { plans: [{ suiteCode: 'ACME-DESIGN', name: 'Standard', status: 'Draft' }] },
    3003,
    'catalog.invalid_transition',
    'plan-set:ACME-DESIGN/Standard',
    '/status',
  ],
  [
    'a relative weight on an absolute plan',
    plansOf({ name: 'A', relativeWeight: 2 }),
    2000,
    'license.validation_error',
    'plan-set:ACME-DESIGN/Other',
    '/plans/A/relativeWeight',
  ],
  [
    'a price on a relative plan',
    plansOf({ name: 'A', pricingMode: 'Relative', monthlyPrice: 2, currency: 'EUR' }),
    2000,
    'license.validation_error',
    'plan-set:ACME-DESIGN/Other',
    '/plans/A/monthlyPrice',
  ],
  [
    'a positive price without a currency',
    plansOf({ name: 'A', monthlyPrice: 2 }),
    2000,
    'license.validation_error',
    'plan-set:ACME-DESIGN/Other',
    '/plans/A/currency',
  ],
  [
    'pricing modes mixed in one set',
    plansOf({ name: 'A' }, { name: 'B', pricingMode: 'Relative' }),
    2000,
    'license.validation_error',
    'plan-set:ACME-DESIGN/Other',
    '/plans/B/pricingMode',
  ],
  [
    'a product that is part of itself',
    {
      products: [
        { productCode: 'A', parentProductCode: 'B' },
        { productCode: 'B', parentProductCode: 'A' },
      ],
    },
    2000,
    'license.validation_error',
    'product:B',
    '/parentProductCode',
  ],
]

forEachStore((store) => {
  describe('a snapshot that cannot be imported', () => {
    const server = serveTests(store)
    const catalog = catalogOf(server)
    beforeAll(async () => {
      bodyOf(await catalog.import(wholeCatalog()))
      bodyOf(
        await catalog.import(
          snapshotOf({ products: [{ productCode: 'LOCKED', isLocked: true, description: 'as it was' }] }),
        ),
      )
    })

    const lockedProduct: Case = [
      'an edit of a locked product',
      { products: [{ productCode: 'LOCKED', description: 'edited' }] },
      3002,
      'catalog.in_use',
      'product:LOCKED',
      '/isLocked',
    ]

    test.each([...refused, lockedProduct])(
      '%s: compare lists it, import and apply refuse it and change nothing',
      async (_sentence, sections, code, codeName, key, path) => {
        const good = { tags: [{ scope: 'Product', name: 'Would be created' }] }
        const snapshot = snapshotOf('tags' in sections ? sections : { ...good, ...sections })
        const before = await dumpOf(server.databaseUrl)
        const report = bodyOf(await catalog.compare(snapshot))
        expect(report.errors[0]).toMatchObject({ code, codeName, key, path })
        expect(report.errors[0].message).not.toBe('')
        expect(report.summary.errors).toBe(report.errors.length)
        for (const answer of [
          await catalog.import(snapshot),
          await catalog.apply({ snapshot, expected: expectedOf(report) }),
        ]) {
          expect(answer.status).toBe(400)
          expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/)
          expect(answer.body).toMatchObject({ status: 400, code, codeName })
          expect(answer.body.errors.map(withoutPointer)).toEqual(report.errors)
          for (const error of answer.body.errors) expect(error.pointer).toBe(error.path)
        }
        expect(await dumpOf(server.databaseUrl)).toBe(before)
      },
    )

    test('all that is wrong is listed at once', async () => {
      const report = bodyOf(
        await catalog.compare(
          snapshotOf({
            products: [
              { productCode: 'X', parentProductCode: 'NOWHERE' },
              { productCode: 'X' },
              { ...cad, status: 'Draft' },
            ],
            ...plansOf({ name: 'A', monthlyPrice: 5 }, { name: 'B', relativeWeight: 1 }),
          }),
        ),
      )
      expect(new Set(report.errors.map(({ code }: { code: number }) => code))).toEqual(
        new Set([3001, 3003, 3004, 2000]),
      )
    })

    test('an unlocked product is edited in the same import', async () => {
      const products = [{ productCode: 'LOCKED', isLocked: false, description: 'edited' }]
      expect(bodyOf(await catalog.compare(snapshotOf({ products }))).errors).toEqual([])
    })

    test.each([
      ['compare', {}],
      ['import', {}],
      ['apply', { expected: {} }],
    ] as const)('%s does not read another formatVersion', async (operation, rest) => {
      const snapshot = { formatVersion: '1.1', tags: [], ofAnotherFormat: [] }
      const answer = await catalog[operation](operation === 'apply' ? { snapshot, ...rest } : snapshot)
      expect([answer.status, answer.body.code, answer.body.codeName]).toEqual([400, 3006, 'catalog.format_version'])
    })

    test.each([
      ['no format', {}, '/formatVersion'],
      ['an unknown section', { formatVersion: '1.0', product: [] }, '/product'],
      ['an unknown field', { formatVersion: '1.0', products: [{ productCode: 'A', nam: 'x' }] }, '/products/0/nam'],
      [
        'no natural key',
        { formatVersion: '1.0', products: [{ productCode: 'A' }, { name: 'x' }] },
        '/products/1/productCode',
      ],
      ['an id', { formatVersion: '1.0', products: [{ productCode: 'A', id: 'x' }] }, '/products/0/id'],
      [
        'null for what cannot be null',
        { formatVersion: '1.0', products: [{ productCode: 'A', status: null }] },
        '/products/0/status',
      ],
      ['a list of something else', { formatVersion: '1.0', products: [['A']] }, '/products/0'],
      ['a section that is no list', { formatVersion: '1.0', products: {} }, '/products'],
      ['an unknown scope', { formatVersion: '1.0', scope: ['product'] }, '/scope/0'],
      [
        'a number that is none',
        { formatVersion: '1.0', plans: [{ suiteCode: 'A', name: 'B', plans: [{ name: 'C', monthlyPrice: '0x10' }] }] },
        '/plans/0/plans/0/monthlyPrice',
      ],
    ])('of the wrong shape, %s, is 400 with a pointer on every path', async (_what, snapshot, pointer) => {
      const before = await dumpOf(server.databaseUrl)
      for (const [answer, prefix] of [
        [await catalog.compare(snapshot), ''],
        [await catalog.import(snapshot), ''],
        [await catalog.apply({ snapshot, expected: {} }), '/snapshot'],
      ] as const) {
        expect([answer.status, answer.body.codeName]).toEqual([400, 'license.validation_error'])
        expect(answer.body.errors.map((error: { pointer: string }) => error.pointer)).toContain(prefix + pointer)
      }
      expect(await dumpOf(server.databaseUrl)).toBe(before)
    })

    test.each([
      ['cut off', '{"formatVersion":"1.0"', 'request.malformed'],
      ['with a key twice', '{"formatVersion":"1.0","formatVersion":"1.0"}', 'request.malformed'],
      ['nested too deep', `${'['.repeat(65)}${']'.repeat(65)}`, 'request.malformed'],
      ['with a number beyond all bounds', '{"formatVersion":"1.0","counts":{"tags":1e999}}', 'request.malformed'],
      ['with NUL', '{"formatVersion":"1.0","tags":[{"scope":"Product","name":"a\\u0000b"}]}', 'request.malformed'],
      [
        'with half a surrogate pair',
        '{"formatVersion":"1.0","tags":[{"scope":"Product","name":"\\ud800"}]}',
        'request.malformed',
      ],
      ['not in UTF-8', Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 'request.malformed'],
      ['that is no object', '[]', 'license.validation_error'],
      ['that is null', 'null', 'license.validation_error'],
      ['that is not there', undefined, 'request.malformed'],
    ])('a body %s is 400', async (_what, body, codeName) => {
      for (const operation of ['compare', 'import', 'apply'] as const) {
        const answer = await catalog[operation](body)
        expect([answer.status, answer.body.codeName]).toEqual([400, codeName])
      }
    })

    test('a body of more objects than memory should be spent on is 400, however few bytes it has', async () => {
      const answer = await catalog.compare(`{"formatVersion":"1.0","tags":[${'{},'.repeat(4_000_000)}{}]}`)
      expect([answer.status, answer.body.codeName]).toEqual([400, 'request.malformed'])
      expect(answer.body.detail).toMatch(/four million/)
    })

    test.each([
      'application/json',
      'Application/JSON;',
      'application/json; v=2',
      'application/json;charset="UTF-8"; v=2',
    ])('a body as %s is JSON', async (type) => {
      const answer = await catalog.compare('{"formatVersion":"1.0"}', { headers: { 'content-type': type } })
      expect(answer.status).toBe(200)
    })

    test.each([
      ['application/x-www-form-urlencoded', {}],
      ['application/json; charset=latin1', {}],
      ['application/json; v=2; charset=utf-16', {}],
      ['application/jsonl', {}],
      ['application/json', { 'content-encoding': 'gzip' }],
    ])('a body as %s %o is 415', async (type, headers) => {
      const answer = await catalog.compare('{}', { headers: { 'content-type': type, ...headers } })
      expect([answer.status, answer.body.codeName]).toEqual([415, 'request.unsupported_media_type'])
      const isCoded = 'content-encoding' in headers
      expect(answer.headers.get('accept-encoding')).toBe(isCoded ? 'identity' : null)
    })
  })
})

const withoutPointer = ({ pointer: _pointer, ...error }: Record<string, unknown>) => error

/** What a reviewed compare expects of every key that it names. */
const expectedOf = (report: { items: { key: string; fingerprint: string | null }[] }) =>
  Object.fromEntries(report.items.map(({ key, fingerprint }) => [key, fingerprint]))
