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
