import { describe, expect, test } from 'vitest'
import { drawKey } from '../../../server/entitlements/key-issuance/drawing.ts'
import { keyIssuancePolicyOf } from '../../../server/entitlements/policies/effective.ts'
import type { Cause } from '../../../server/kit/outbox.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { must, nextNumber, problemOf } from '../catalog/catalog-collection.ts'
import { adminOf, pointersOf } from '../catalog/things-to-sell.ts'
import { codesOf } from './coded-entitlements.ts'

forEachStore((store) => {
  const server = serveTests(store)
  const { at, codes, issue, newEntitlement, newCode, listCodes } = codesOf(server)
  const admin = adminOf(server)

  const keyed = (keyIssuancePolicy: object, more: object = {}) => newEntitlement({ keyIssuancePolicy, ...more })
  const codeOf = async (id: string): Promise<string> => (await newCode(id)).activationCode
  /** A word that no other template of this file begins with. */
  const word = () => `W${nextNumber()}X`

  test.each([
    [{ template: '{random:8}', alphabet: 'Hex' }, /^[0-9A-F]{8}$/],
    [{ template: '{random:8}', alphabet: 'Hex', caseStyle: 'Lower' }, /^[0-9a-f]{8}$/],
    [{ template: '{random:9}', alphabet: 'Numeric' }, /^\d{9}$/],
    [{ template: '{random:8}', alphabet: 'Base32' }, /^[A-Z2-7]{8}$/],
    [{ template: '{random:12}', alphabet: 'Custom', customAlphabet: 'xyz' }, /^[XYZ]{12}$/],
    [{ template: 'key/{random:8}/{year}' }, new RegExp(`^KEY/[0-9A-HJKMNP-TV-Z]{8}/${new Date().getUTCFullYear()}$`)],
    [{ template: '{random:8}-{check}', checksum: 'LuhnModN' }, /^[0-9A-HJKMNP-TV-Z]{8}-[0-9A-HJKMNP-TV-Z]$/],
    [{ enabled: false, template: '{random:1}' }, /^.{5}(-.{5}){3}$/],
  ])('%j makes codes of its form', async (policy, form) => {
    const { id } = await keyed(policy)
    expect(await codeOf(id)).toMatch(form)
    const operational = await must(at('POST', `operational/${codes(id)}`, { body: {} }))
    expect(operational.activationCode).toMatch(form)
  })

  test('{productCode} is the code of the first product that the entitlement lists', async () => {
    const [cad, cam] = [await admin.newProduct(), await admin.newProduct()]
    const products = [cad, cam].map(({ id }) => ({ productId: id }))
    const sold = await keyed({ template: '{productCode}:{random:9}' }, { products })
    expect(await codeOf(sold.id)).toMatch(new RegExp(`^${sold.products[0].productCode}:.{9}$`))
  })

  test.each([
    [{ template: '{productCode}-{random:5}' }],
    [{ template: '{random:5}-{seq:5}', sequenceScope: 'Product' }],
    [{ template: '{random:64}{random:64}{random:64}{random:9}' }],
  ])('where %j can make no code, one must be given', async (policy) => {
    const { id } = await keyed(policy)
    expect(pointersOf(await issue(id))).toEqual([400, 'license.validation_error', ['/activationCode']])
    await newCode(id, { activationCode: `Given ${nextNumber()}` })
  })

  test('numbers go on from sequenceStart within their scope', async () => {
    const product = await admin.newProduct()
    const of = (sequenceScope: string, template: string) =>
      keyed({ template, sequenceScope, sequenceStart: 7 }, { products: [{ productId: product.id }] })
    const drawTwice = async (first: { id: string }, second: { id: string }) => [
      await codeOf(first.id),
      await codeOf(second.id),
      await codeOf(first.id),
    ]
    const [a, b, c] = [word(), word(), word()]
    expect(await drawTwice(await of('Entitlement', `${a}1-{seq:3}`), await of('Entitlement', `${a}2-{seq:3}`))).toEqual(
      [`${a}1-007`, `${a}2-007`, `${a}1-008`],
    )
    const otherProduct = [{ productId: (await admin.newProduct()).id }]
    const elsewhere = { template: `${b}3-{seq:3}`, sequenceScope: 'Product', sequenceStart: 1 }
    expect(await drawTwice(await of('Product', `${b}1-{seq:3}`), await of('Product', `${b}2-{seq:3}`))).toEqual([
      `${b}1-007`,
      `${b}2-008`,
      `${b}1-009`,
    ])
    expect(await codeOf((await keyed(elsewhere, { products: otherProduct })).id)).toBe(`${b}3-001`)
    expect(await drawTwice(await of('Tenant', `${c}1-{seq:3}`), await of('Tenant', `${c}2-{seq:3}`))).toEqual([
      `${c}1-007`,
      `${c}2-008`,
      `${c}1-009`,
    ])
    const later = await keyed({ template: `${c}3-{seq:3}`, sequenceScope: 'Tenant', sequenceStart: 500 })
    expect([await codeOf(later.id), await codeOf(later.id)]).toEqual([`${c}3-500`, `${c}3-501`])
  })

  test('a code that is taken is passed over', async () => {
    const start = word()
    const [given, { id }, other] = [
      await newEntitlement(),
      await keyed({ template: `${start}-{seq:3}` }),
      await keyed({ template: `${start}-{seq:3}` }),
    ]
    await newCode(given.id, { activationCode: `${start.toLowerCase()} -002` })
    expect([await codeOf(id), await codeOf(id), await codeOf(other.id)]).toEqual([
      `${start}-001`,
      `${start}-003`,
      `${start}-004`,
    ])
  })

  test('a template that is full says so, and what to do', async () => {
    const start = word()
    const sequence = await keyed({ template: `${start}-{seq:1}`, sequenceStart: 8 })
    expect([await codeOf(sequence.id), await codeOf(sequence.id)]).toEqual([`${start}-8`, `${start}-9`])
    const random = await keyed({ template: `${start}/{random:1}`, alphabet: 'Custom', customAlphabet: 'AB' })
    expect([await codeOf(random.id), await codeOf(random.id)].sort()).toEqual([`${start}/A`, `${start}/B`])
    for (const { id } of [sequence, random]) {
      const full = await issue(id)
      expect(problemOf(full)).toEqual([409, 'catalog.duplicate_key'])
      expect(full.body.detail).toContain('no room left')
      expect((await listCodes(id)).totalCount).toBe(2)
    }
  })

  test('issued at once, codes never repeat a number', async () => {
    const start = word()
    const policy = { template: `${start}-{seq:4}`, sequenceScope: 'Tenant', sequenceStart: 1000 }
    const sold = [await keyed(policy), await keyed(policy)]
    const made = await Promise.all(Array.from({ length: 60 }, (_, index) => codeOf(sold[index % 2].id)))
    expect(made.sort()).toEqual(Array.from({ length: 60 }, (_, index) => `${start}-${1000 + index}`))
  })

  test('in scopes of their own, codes that come out alike at once are made anew', async () => {
    const start = word()
    const sold = await Promise.all([1, 2, 3, 4].map(() => keyed({ template: `${start}-{seq:4}` })))
    const made = await Promise.all(Array.from({ length: 40 }, (_, index) => codeOf(sold[index % 4]!.id)))
    expect(new Set(made).size).toBe(40)
  })

  test('given at once, a code is issued once', async () => {
    const activationCode = `Once ${nextNumber()}`
    const sold = await Promise.all([1, 2, 3, 4].map(() => newEntitlement()))
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => issue(sold[index % 4]!.id, { activationCode })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)])
  })
})

describe('a hundred thousand keys', () => {
  const draw = async (own: object, count: number) => {
    const style = {
      policy: keyIssuancePolicyOf({ key_issuance_policy: JSON.stringify(own) }),
      productCode: undefined,
      scopeKey: '',
    }
    const keys: string[] = []
    for (let index = 0; index < count; index++) keys.push((await drawKey({ now: 0 } as Cause, style))!)
    return keys
  }

  test('are all different in the default form', async () => {
    expect(new Set(await draw({}, 100_000)).size).toBe(100_000)
  })

  // An even source goes beyond six standard deviations (Wilson and Hilferty's approximation) once in a thousand million runs;
  // bytes taken modulo ten, which 256 is no multiple of, come to 180 or so, beyond the 63 of ten letters.
  test.each([
    ['Numeric', 10],
    ['CrockfordBase32', 32],
    ['Hex', 16],
    ['Custom', 7],
  ])('have each letter of the %s alphabet equally often', async (alphabet, size) => {
    const keys = await draw({ template: '{random:5}', alphabet, customAlphabet: 'ABCDEFG' }, 100_000)
    const letters = Map.groupBy(keys.join(''), (letter) => letter)
    const expected = 500_000 / size
    const chiSquare = [...letters.values()].reduce((sum, { length }) => sum + (length - expected) ** 2 / expected, 0)
    expect(letters.size).toBe(size)
    const [freedom, spread] = [size - 1, 2 / (9 * (size - 1))]
    expect(chiSquare).toBeLessThan(freedom * (1 - spread + 6 * Math.sqrt(spread)) ** 3)
  })
})
