import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { expectCheckedIn } from './checked-in.ts'
import { root, sourcesIn } from './imports.ts'

/** From low to high, as `rooms.test.ts` keeps it; those on top are above all of them. */
const order = ['kit', 'access', 'catalog', 'metering', 'entitlements', 'activations', 'feedback']
const heightOf = (room: string) => (order.includes(room) ? order.indexOf(room) : order.length)

/** The deeds in another room's tables that are right all the same, with the reason. */
const writtenByOthers: Record<string, string> = {
  'server/access/tenants/tenant-creation.ts catalog_revisions': 'a tenant begins with the revision of an empty catalog',
  'server/activations/seating/store.ts activation_codes': 'how many devices a code has let in is counted as they come',
  'server/activations/seating/store.ts seat_counts': 'and so are the seats of an entitlement',
}

interface Use {
  file: string
  room: string
  table: string
  owner: string
  isWrite: boolean
}

const roomOf = (file: string) => file.split('/')[1]!
const sources = sourcesIn('server').filter(
  (file) => !file.startsWith('server/database/') && !file.endsWith('/tables.ts') && file.split('/').length > 2,
)
const owners = ownersOfTables()
const uses = sources.flatMap(usesIn)

/** Each table of the rooms' `tables.ts`, and whose it is. */
function ownersOfTables(): Map<string, string> {
  const found = new Map<string, string>()
  for (const file of sourcesIn('server').filter(
    (one) => one.endsWith('/tables.ts') && !one.startsWith('server/database/'),
  ))
    for (const [, tables] of readFileSync(join(root, file), 'utf8').matchAll(
      /^export interface \w+Tables \{\n([\s\S]*?)^\}/gm,
    ))
      for (const [, table] of tables!.matchAll(/^ {2}(\w+): /gm)) found.set(table!, roomOf(file))
  return found
}

/** What a file reads and writes of others' tables, by Kysely's words and SQL's. */
function usesIn(file: string): Use[] {
  const text = readFileSync(join(root, file), 'utf8')
  const byKysely = /\b(?<deed>selectFrom|insertInto|updateTable|deleteFrom|\w*[jJ]oin)\(\s*'(?<table>\w+)/g
  const bySql = /\b(?<deed>from|join|insert into|delete from|update) (?<table>[a-z_]+)\b/g
  return [byKysely, bySql].flatMap((words) =>
    [...text.matchAll(words)].flatMap(({ groups }) => {
      const { deed, table } = groups as { deed: string; table: string }
      const [room, owner] = [roomOf(file), owners.get(table)]
      const isWrite = /^(?:insert|update|delete)/.test(deed)
      return owner === undefined || owner === room ? [] : [{ file, room, table, owner, isWrite }]
    }),
  )
}

describe("another room's tables", () => {
  test('the tables and whose they are were found', () => {
    expect(owners.get('products')).toBe('catalog')
    expect(owners.get('entitlements')).toBe('entitlements')
    expect(owners.get('license_sessions')).toBe('activations')
    expect(owners.size).toBeGreaterThan(40)
  })

  test('are written by that room alone, but for what is known', () => {
    const found = uses.filter(({ isWrite }) => isWrite).map(({ file, table }) => `${file} ${table}`)
    expect([...new Set(found)].sort(), 'have the room that owns the table export the deed').toEqual(
      Object.keys(writtenByOthers).sort(),
    )
  })

  test('are read from below only to ask who refers to a record, as is checked in', async () => {
    const upward = uses.filter(({ room, owner, isWrite }) => !isWrite && heightOf(owner) > heightOf(room))
    const byFile = Map.groupBy(upward, ({ file }) => file)
    await expectCheckedIn(
      'tables-read-from-below',
      Object.fromEntries(
        [...byFile.keys()]
          .sort()
          .map((file) => [file, [...new Set(byFile.get(file)!.map(({ table }) => table))].sort()]),
      ),
    )
  })
})
