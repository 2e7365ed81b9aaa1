import { expect, test } from 'vitest'
import { databaseAway, isDatabaseAway } from '../../server/kit/database-away.ts'

const coded = (code: unknown, message = 'x') => Object.assign(new Error(message), { code })

test.each([
  ['PostgreSQL refuses the connection', coded('ECONNREFUSED')],
  ['the socket of PostgreSQL is not there', coded('ENOENT', 'connect ENOENT /run/postgresql/.s.PGSQL.5432')],
  ['the network is silent', coded('ETIMEDOUT')],
  ['PostgreSQL is told to stop', coded('57P01')],
  ['PostgreSQL starts', coded('57P03')],
  ['PostgreSQL has no connection left', coded('53300')],
  ['PostgreSQL has no room left', coded('53100')],
  ['PostgreSQL is a standby', coded('25006')],
  ['the disk of PostgreSQL fails', coded('58030')],
  ['somebody, or statement_timeout, cancels the statement', coded('57014')],
  ['lock_timeout ends the waiting', coded('55P03')],
  ['idle_in_transaction_session_timeout ends the connection', coded('25P03')],
  ['transaction_timeout ends the connection', coded('25P04')],
  ['PostgreSQL ends the statement to resolve a deadlock', coded('40P01')],
  ['PostgreSQL ends the statement so that a standby catches up', coded('40001')],
  ['PostgreSQL lets nobody connect to the database', coded('55000')],
  ['the database has another name for now', coded('3D000')],
  ['the password is being changed', coded('28P01')],
  ['the pool has no connection left', new Error('timeout exceeded when trying to connect')],
  ['the connection ended', new Error('Connection terminated unexpectedly')],
  ['SQLite is locked by another process', coded('SQLITE_BUSY')],
  ['SQLite is locked by another snapshot', coded('SQLITE_BUSY_SNAPSHOT')],
  ['SQLite has no room left', coded('SQLITE_FULL')],
  ['the disk of SQLite fails', coded('SQLITE_IOERR_FSYNC')],
  ['the file of SQLite became read-only', coded('SQLITE_READONLY_DBMOVED')],
])('the database is away when %s', (_why, error) => expect(isDatabaseAway(error)).toBe(true))

test.each([
  ['a key is taken', coded('23505')],
  ['a statement is wrong', coded('42601')],
  ['a statement of SQLite is wrong', coded('SQLITE_ERROR')],
  ['a constraint of SQLite is broken', coded('SQLITE_CONSTRAINT_UNIQUE')],
  ['the file of SQLite is damaged', coded('SQLITE_CORRUPT')],
  ['a file is not there', coded('ENOENT', "ENOENT: no such file or directory, open '/x'")],
  ['a number is no code', coded(53300.5)],
  ['it only speaks of one', new Error('the name ECONNREFUSED is taken')],
  ['it is none', undefined],
])('the database is not away when %s', (_why, error) => expect(isDatabaseAway(error)).toBe(false))

test.each([
  ['a disk that is full changed nothing', 'SQLITE_FULL', /nothing was changed/],
  ['one that fails changed nothing', 'SQLITE_IOERR_WRITE', /nothing was changed/],
  ['one that fails to keep a commit may have changed something', 'SQLITE_IOERR_FSYNC', /whether anything was changed/],
  ['a database that is away is asked again', '57P03', /try again shortly/],
])('%s', (_what, code, words) => expect(databaseAway(coded(code)).message).toMatch(words))
