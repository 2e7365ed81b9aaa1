import { expect, test } from 'vitest'
import { readDatabaseUrl } from '../../server/database/database-url.ts'

test('a database is a file of SQLite or a place at a PostgreSQL', () => {
  expect(readDatabaseUrl('sqlite:./licet.db')).toEqual({ kind: 'sqlite', file: './licet.db' })
  expect(readDatabaseUrl('sqlite:///var/licet.db')).toEqual({ kind: 'sqlite', file: '/var/licet.db' })
  const url = 'postgresql://licet:p%25q@db.example/licet?host=%2Fvar%2Frun'
  expect(readDatabaseUrl(url)).toEqual({ kind: 'postgres', url })
})

test.each([
  ['sslmode=require', 'sslmode=verify-full'],
  ['a=b&sslmode=prefer&sslrootcert=ca.pem', 'a=b&sslmode=verify-full&sslrootcert=ca.pem'],
  ['sslmode=no-verify', 'sslmode=no-verify'],
  ['sslmode=disable', 'sslmode=disable'],
  ['uselibpqcompat=true&sslmode=require', 'uselibpqcompat=true&sslmode=require'],
])('TLS as %s is %s', (given, meant) => {
  const read = readDatabaseUrl(`postgres://licet@db.example/licet?${given}`)
  expect(read).toEqual({ kind: 'postgres', url: `postgres://licet@db.example/licet?${meant}` })
})

test.each(['mysql://x/y', 'sqlite:', 'postgres:', ''])('%j is neither', (url) => {
  expect(() => readDatabaseUrl(url)).toThrow(/^The database URL must be sqlite:FILE/)
})

test.each(['li%cet', '%', '%E9'])('a password that is written %s is refused without repeating it', (password) => {
  const read = () => readDatabaseUrl(`postgres://licet:${password}@db.example/licet`)
  expect(read).toThrow(/% is written %25/)
  expect(read).not.toThrow(password.slice(1) || 'licet:%')
})

test.each(['t/cret', 'p@t/cret', '12/cret=', '12?cret', '12#cret', '12/x?cret'])(
  'a password that is written %s is not told as the host',
  (password) => {
    for (const name of ['/licet', '', '/licet?sslmode=disable']) {
      const read = () => readDatabaseUrl(`postgres://licet:${password}@db.example${name}`)
      expect(read).toThrow(/has an @ behind its host.* \/ is written %2F/)
      expect(read).not.toThrow('cret')
    }
  },
)

test.each(['licet:a@b@db.example/licet', 'db.example/licet?user=me@there', 'db.example?user=me@there&password=a/@b'])(
  'what is read as it is meant is taken (%s)',
  (rest) => {
    const url = `postgres://${rest}`
    expect(readDatabaseUrl(url)).toEqual({ kind: 'postgres', url })
  },
)

test.each(['bogus', '', 'Require', 'allow', 'disable&sslmode=off'])('TLS as sslmode=%s is refused by name', (mode) => {
  const name = mode.split('=').at(-1)!
  expect(() => readDatabaseUrl(`postgres://licet@db.example/licet?a=b&sslmode=${mode}`)).toThrow(
    `sslmode=${name}, which there is not: it is one of disable, no-verify, prefer`,
  )
})
