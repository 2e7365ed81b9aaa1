import { beforeAll, expect, test } from 'vitest'
import { openSealer } from '../../../server/access/installation/master-key.ts'
import { readDatabaseUrl } from '../../../server/database/database-url.ts'
import { codeTextOf } from '../../../server/entitlements/activation-codes/code-text.ts'
import { findCodes, lookupKeysOf, readCodes } from '../../../server/entitlements/activation-codes/lookup.ts'
import { SealBroken, type Sealer } from '../../../server/kit/sealing.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { must, nextNumber, noSuchId } from '../catalog/catalog-collection.ts'
import { codesOf, databaseBeside } from './coded-entitlements.ts'

forEachStore((store) => {
  const server = serveTests(store)
  const database = databaseBeside(server)
  const { at, codes, newEntitlement, newCode } = codesOf(server)
  let sealer: Sealer
  beforeAll(async () => {
    sealer = await openSealer(database.open, readDatabaseUrl(server.databaseUrl))
  })

  /** The codes that a text looks up, the first meant first. */
  async function look(text: string, tenantId = server.tenantIds.acme): Promise<string[]> {
    const keys = lookupKeysOf(sealer, tenantId, text)
    const rows = await findCodes(database.open.read, tenantId, keys)
    return keys.flatMap((key) => rows.filter(({ lookup_key }) => lookup_key === key).map(({ id }) => id))
  }

  test('a made code is found however it is typed, as far as its alphabet leaves no doubt', async () => {
    const n = nextNumber()
    const made = async (policy: object) => newCode((await newEntitlement({ keyIssuancePolicy: policy })).id)
    const crockford = await made({ template: `IOL${n}-{seq:3}` })
    for (const typed of [`IOL${n}-001`, `iol${n}-001`, ` 1 0 1 ${n} 0o i`, `lo1-${n}-ool`])
      expect(await look(typed)).toEqual([crockford.id])
    expect(await look(`IOL${n}-002`)).toEqual([])
    const numeric = await made({ template: `NOL${n}-{seq:3}`, alphabet: 'Numeric' })
    expect(await look(` nol${n} - 001`)).toEqual([numeric.id])
    for (const typed of [`N01${n}-001`, `NOL${n}001`]) expect(await look(typed)).toEqual([])
  })

  test('a given code is found as it was given, letter case and blanks aside, before any other', async () => {
    const n = nextNumber()
    const { id } = await newEntitlement()
    const given = await newCode(id, { activationCode: `Shop O-${n}-001` })
    const made = await newCode((await newEntitlement({ keyIssuancePolicy: { template: `SHOP0${n}-{seq:3}` } })).id)
    for (const typed of [`SHOPO-${n}-001`, `shop 0-${n}-oOl`]) expect(await look(typed)).toEqual([given.id, made.id])
    expect(await look(`SHOPO${n}001`)).toEqual([made.id])
  })

  test('a given code with look-alikes is found by them, hyphen for hyphen, where CrockfordBase32 is the alphabet', async () => {
    const n = nextNumber()
    const [{ id }, numeric] = [await newEntitlement(), await newEntitlement({ keyIssuancePolicy: { alphabet: 'Hex' } })]
    const code = await newCode(id, { activationCode: `Trial_${n}-1-10` })
    for (const typed of [`trial_${n}-1-10`, `TR1A1_${n}-I-LO`, ` trlai_${n} -l-1o`])
      expect(await look(typed)).toEqual([code.id])
    expect(await look(`trial_${n}-11-0`)).toEqual([])
    const other = await newCode(id, { activationCode: `Trial_${n}-11-0` })
    expect(await look(`tria1_${n}-ll-o`)).toEqual([other.id])
    const again = await at('POST', `admin/${codes(id)}`, { body: { activationCode: `TRIA1_${n}-I-1O` } })
    expect([again.status, again.body.codeName]).toEqual([409, 'catalog.duplicate_key'])
    const plain = await newCode(numeric.id, { activationCode: `Offer_${n}-10` })
    expect(await look(`0ffer_${n}-10`)).toEqual([])
    expect(await look(`offer_${n}-10`)).toEqual([plain.id])
  })

  test('a given code of CrockfordBase32 characters is found as one that was made, where that is the alphabet of its entitlement', async () => {
    const n = nextNumber()
    const given = async (text: string, alphabet?: string) => {
      const policy = alphabet === undefined ? {} : { keyIssuancePolicy: { alphabet } }
      return newCode((await newEntitlement(policy)).id, { activationCode: text })
    }
    const code = await given(`abc1 ${n}-0`)
    expect(code.activationCode).toBe(`abc1 ${n}-0`)
    for (const typed of [`ABC1${n}-0`, `abcI${n}-o`, `ABCL ${n}O`]) {
      expect(await look(typed)).toEqual([code.id])
      const again = await at('POST', `admin/${codes(code.entitlementId)}`, { body: { activationCode: typed } })
      expect([again.status, again.body.codeName]).toEqual([409, 'catalog.duplicate_key'])
    }
    const numeric = await given(`DEF1${n}-0`, 'Numeric')
    expect(await look(`def1${n}-0`)).toEqual([numeric.id])
    for (const typed of [`DEFI${n}-0`, `DEF1${n}0`]) expect(await look(typed)).toEqual([])
  })

  test('of two codes that look alike and are given at once, under policies of two alphabets, one is refused', async () => {
    const ids = [(await newEntitlement()).id, (await newEntitlement({ keyIssuancePolicy: { alphabet: 'Hex' } })).id]
    for (let round = 0; round < 10; round++) {
      const body = { activationCode: `ABCD${nextNumber()}XYZ` }
      const answers = await Promise.all(ids.map((id) => at('POST', `admin/${codes(id)}`, { body })))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    }
  })

  test('a code is found in its own tenant, until it is deleted', async () => {
    const { id } = await newEntitlement()
    const code = await newCode(id)
    await must(at('POST', `admin/${codes(id, code.id)}/revoke`))
    expect(await look(code.activationCode)).toEqual([code.id])
    expect(await look(code.activationCode, server.tenantIds.neighbour)).toEqual([])
    expect(lookupKeysOf(sealer, server.tenantIds.acme, 'x')).not.toEqual(
      lookupKeysOf(sealer, server.tenantIds.neighbour, 'x'),
    )
    const { read } = database.open
    await must(at('DELETE', `admin/${codes(id, code.id)}`))
    expect(await look(code.activationCode)).toEqual([])
    const [row, ...more] = await readCodes(read, server.tenantIds.acme, [code.id, noSuchId])
    expect([row!.id, more]).toEqual([code.id, []])
    expect(codeTextOf(sealer, row!)).toBe(code.activationCode)
    expect(await readCodes(read, server.tenantIds.neighbour, [code.id])).toEqual([])
  })

  test('many codes are found at once', async () => {
    const { id } = await newEntitlement()
    const made = await Promise.all(Array.from({ length: 12 }, () => newCode(id)))
    const tenantId = server.tenantIds.acme
    const keys = made.flatMap(({ activationCode }) => lookupKeysOf(sealer, tenantId, activationCode))
    const rows = await findCodes(database.open.read, tenantId, keys)
    expect(rows.map((row) => row.id).sort()).toEqual(made.map((code) => code.id).sort())
    expect(await findCodes(database.open.read, tenantId, [])).toEqual([])
  })

  test('a sealed code opens in its own row only', async () => {
    const { id } = await newEntitlement()
    const [one, other] = [await newCode(id), await newCode(id)]
    const rows = await readCodes(database.open.read, server.tenantIds.acme, [one.id, other.id])
    const [row, moved] = [rows[0]!, rows[1]!]
    expect(codeTextOf(sealer, row)).toBe(row.id === one.id ? one.activationCode : other.activationCode)
    expect(() => codeTextOf(sealer, { ...row, sealed_code: moved.sealed_code })).toThrow(SealBroken)
    expect(() => codeTextOf(sealer, { ...row, tenant_id: server.tenantIds.neighbour })).toThrow(SealBroken)
  })
})
