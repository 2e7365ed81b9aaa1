import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compileCheck, type Finding } from '../../catalog-schema/checker.ts'
import { checksBeforehandCode } from '../../catalog-schema/making-checks.ts'
import { itemSchemas, type Kind, kinds, sectionOf } from '../../catalog-schema/order.ts'
import { checkReviewed, checkSnapshot } from '../../catalog-schema/snapshot.ts'
import { ReviewedSnapshotSchema, SnapshotSchema } from '../../catalog-schema/snapshot-schema.ts'
import { wholeCatalog } from '../api/snapshot/scene.ts'

type Item = Record<string, unknown>

/** The module of a build, as Node loads it. */
let directory: string
let made: Record<Kind, (value: unknown) => boolean>
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'licet-checks-'))
  const here = (file: string) => JSON.stringify(pathToFileURL(join(import.meta.dirname, file)).href)
  const code = checksBeforehandCode().replace(
    "'./canonical-scalars.ts'",
    here('../../catalog-schema/canonical-scalars.ts'),
  )
  const requiring = `import { createRequire } from 'node:module'\nconst require = createRequire(${here('.')})\n`
  const file = join(directory, 'checks.mjs')
  await writeFile(file, requiring + code)
  made = (await import(pathToFileURL(file).href)).checksBeforehand
})
afterAll(() => rm(directory, { recursive: true, force: true }))

const catalog = wholeCatalog() as unknown as Record<string, Item[]>
const junk = fc.constantFrom(
  ...[
    null,
    true,
    0,
    -1,
    1.5,
    3e9,
    '',
    ' x',
    'x',
    '1.50',
    '007',
    '1e400',
    '0.1000000000000000055',
    [],
    {},
    [{}],
    ['x', 'x'],
  ],
  ...['2026-01-31T12:00:00+02:00', '2026-13-01T00:00:00Z', 'PT36H', 'P1.5W', 'P-1D', 'x'.repeat(5000), 'Published'],
)

/** The value with what stands at one place of it, the so-maniest, taken away or replaced. */
function spoilt(value: unknown, place: number, by: unknown): unknown {
  const copy = structuredClone(value)
  const places: [Item, string][] = []
  const visit = (at: unknown) => {
    if (typeof at !== 'object' || at === null) return
    for (const key of Object.keys(at)) {
      places.push([at as Item, key])
      visit((at as Item)[key])
    }
  }
  visit(copy)
  const [holder, key] = places[place % places.length]!
  if (by === undefined) delete holder[key]
  else holder[key] = by
  return copy
}

test.each(kinds)(
  'what a build makes of the check of a %s decides and brings into form as the check itself does',
  (kind) => {
    const check = compileCheck(itemSchemas[kind])
    const items = catalog[sectionOf[kind]] ?? []
    let [accepted, refused] = [0, 0]
    const agree = (item: unknown) => {
      const [one, other] = [structuredClone(item), structuredClone(item)]
      const isSound = made[kind](one)
      expect(isSound).toBe(check(other).length === 0)
      if (isSound) expect(one).toEqual(other)
      if (isSound) accepted += 1
      else refused += 1
    }
    for (const item of items) agree(item)
    fc.assert(
      fc.property(fc.constantFrom(...items), fc.nat(), fc.option(junk, { nil: undefined }), (item, place, by) =>
        agree(spoilt(item, place, by)),
      ),
      { numRuns: 400 },
    )
    expect(Math.min(accepted, refused)).toBeGreaterThan(20)
  },
)

describe('a snapshot held against the checks of its parts', () => {
  const whole = {
    ...wholeCatalog(),
    formatVersion: '1.0',
    exportedAt: '2026-01-31T12:00:00+02:00',
    counts: { tags: 1 },
  }
  const reviewed = { snapshot: whole, expected: { 'product:A': 'x', 'product:B': null } }

  test.each([
    ['alone', SnapshotSchema, checkSnapshot, whole],
    ['with its review', ReviewedSnapshotSchema, checkReviewed, reviewed],
  ])('is found to be what the schema says of it %s', (_, schema, checkParts, sound) => {
    const check = compileCheck(schema)
    const inOrder = (findings: Finding[]) => findings.map((finding) => JSON.stringify(finding)).toSorted()
    let [accepted, refused] = [0, 0]
    const agree = (value: unknown) => {
      const [one, other] = [structuredClone(value), structuredClone(value)]
      const findings = checkParts(one)
      expect(inOrder(findings)).toEqual(inOrder(check(other)))
      if (findings.length === 0) expect(one).toEqual(other)
      if (findings.length === 0) accepted += 1
      else refused += 1
    }
    agree(sound)
    for (const value of [null, 'text', 5, [], {}, { snapshot: null }, { snapshot: [] }]) agree(value)
    const twice = fc.tuple(fc.nat(), fc.option(junk, { nil: undefined }), fc.nat(), fc.option(junk, { nil: undefined }))
    fc.assert(
      fc.property(twice, ([place, by, other, byOther]) => agree(spoilt(spoilt(sound, place, by), other, byOther))),
      { numRuns: 600 },
    )
    expect(Math.min(accepted, refused)).toBeGreaterThan(10)
  })
})
