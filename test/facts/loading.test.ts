import { describe, expect, test } from 'vitest'
import { importsIn, sourcesIn } from './imports.ts'

const loadedBy = Map.groupBy(
  importsIn('catalog-schema', 'server', 'cli').filter(({ isDynamic, isTypeOnly }) => !isDynamic && !isTypeOnly),
  ({ from }) => from,
)

/** How a file comes to load another file or a package at once: the files between, both ends included. */
function wayTo(file: string, wanted: string): string[] | undefined {
  const ways = new Map([[file, [file]]])
  for (const [from, way] of ways) {
    if (from === wanted) return way
    for (const { to } of loadedBy.get(from) ?? []) if (!ways.has(to)) ways.set(to, [...way, to])
  }
  return undefined
}

/** What only those commands need that read or write catalog files, or make something of a catalog's schema. */
const heavy = ['ajv/dist/2020.js', 'js-yaml', 'typebox', 'ink', 'server/app.ts']
const ofCatalogs = ['cli/commands/catalog/', 'cli/commands/doctor.ts', 'cli/commands/init.ts']
const commands = sourcesIn('cli/commands').filter((file) => !ofCatalogs.some((some) => file.startsWith(some)))

describe('a command is there sooner for what it does not load', () => {
  test.each(heavy)('none but those of catalogs load %s', (wanted) => {
    expect(commands.length).toBeGreaterThan(50)
    expect(wayTo('cli/commands/catalog/validate.ts', 'js-yaml')).toBeDefined()
    expect(commands.flatMap((file) => wayTo(file, wanted)?.join(' → ') ?? [])).toEqual([])
  })
})

describe('a server listens sooner for what it leaves to the thread of heavy operations, which begins sooner without the rest', () => {
  test.each([
    ['server/app.ts', 'catalog-schema/checks-beforehand.ts', 'server/heavy-worker.ts'],
    ['server/heavy-worker.ts', 'server/router.ts', 'server/app.ts'],
  ])('%s does not load %s, and %s does', (file, wanted, other) => {
    expect(wayTo(other, wanted)).toBeDefined()
    expect(wayTo(file, wanted)?.join(' → ')).toBeUndefined()
  })
})
