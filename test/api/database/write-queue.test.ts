import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SqliteConnection, { type Database as Sqlite } from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { WriteQueue } from '../../../server/database/write-queue.ts'

describe('the line that all writes of a SQLite file stand in', () => {
  let directory: string
  let connection: Sqlite
  let queue: WriteQueue
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'licet-queue-'))
    connection = new SqliteConnection(join(directory, 'queue.db'))
    connection.pragma('journal_mode = wal')
    connection.exec('create table rows (name text primary key) strict')
    queue = new WriteQueue(connection)
  })
  afterEach(() => {
    connection.close()
    rmSync(directory, { recursive: true, force: true })
  })

  const add = (name: string) => () => connection.prepare('insert into rows values (?)').run(name).changes
  const names = () => connection.prepare('select name from rows order by rowid').pluck().all()
  const pause = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

  test('one that stands alone has the writer until it is done', async () => {
    const seen: string[] = []
    const slow = queue.alone(async () => {
      seen.push('slow begins')
      await pause(20)
      seen.push('slow ends')
    })
    const quick = queue.alone(async () => void seen.push('quick'))
    await Promise.all([slow, quick])
    expect(seen).toEqual(['slow begins', 'slow ends', 'quick'])
  })

  test('one that fails holds nobody up', async () => {
    const failing = queue.alone(async () => {
      throw new Error('mine')
    })
    const next = queue.alone(async () => 'done')
    await expect(failing).rejects.toThrow('mine')
    expect(await next).toBe('done')
  })

  test('small operations that arrive together share one commit', async () => {
    let commits = 0
    const exec = connection.exec.bind(connection)
    connection.exec = (text) => {
      if (text === 'commit') commits += 1
      return exec(text)
    }
    const answers = await Promise.all(['a', 'b', 'c'].map((name) => queue.share(add(name))))
    expect([answers, names(), commits]).toEqual([[1, 1, 1], ['a', 'b', 'c'], 1])
  })

  test('they are answered after the commit, not before', async () => {
    const reader = new SqliteConnection(join(directory, 'queue.db'), { readonly: true })
    await queue.share(add('a')).then(() => expect(reader.prepare('select count(*) from rows').pluck().get()).toBe(1))
    reader.close()
  })

  test('one that throws loses its own writes and no other’s', async () => {
    const outcomes = await Promise.allSettled([
      queue.share(add('a')),
      queue.share(() => {
        add('half')()
        throw new Error('mine')
      }),
      queue.share(add('a')),
      queue.share(add('b')),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
    expect(names()).toEqual(['a', 'b'])
  })

  test('when the commit fails, all who share it are told, and the next is well', async () => {
    const exec = connection.exec.bind(connection)
    connection.exec = (text) => {
      if (text === 'commit') throw Object.assign(new Error('disk full'), { code: 'SQLITE_FULL' })
      return exec(text)
    }
    const outcomes = await Promise.allSettled([queue.share(add('a')), queue.share(add('b'))])
    for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: { code: 'SQLITE_FULL' } })
    connection.exec = exec
    expect(connection.inTransaction).toBe(false)
    expect(await queue.share(add('c'))).toBe(1)
    expect(names()).toEqual(['c'])
  })

  test('those that share wait for one that stands alone, and it for them', async () => {
    const seen: string[] = []
    const alone = queue.alone(async () => {
      await pause(20)
      seen.push('alone')
    })
    const shared = queue.share(() => void seen.push('shared'))
    // What shares takes its place in the line at the end of this turn of the event loop.
    await new Promise((turned) => setImmediate(turned))
    const after = queue.alone(async () => void seen.push('after'))
    await Promise.all([alone, shared, after])
    expect(seen).toEqual(['alone', 'shared', 'after'])
  })

  test('what arrives while a commit is being made is in the next one', async () => {
    const first = queue.share(() => {
      void queue.share(add('later'))
      return add('now')()
    })
    await first
    await queue.alone(async () => undefined)
    await pause(5)
    await queue.alone(async () => undefined)
    expect(names()).toEqual(['now', 'later'])
  })
})
