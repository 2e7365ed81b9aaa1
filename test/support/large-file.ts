import SqliteConnection from 'better-sqlite3'
import { onTestFinished, vi } from 'vitest'

const openFile = (databaseUrl: string) => new SqliteConnection(databaseUrl.slice('sqlite:'.length), { timeout: 60_000 })

/** Makes a SQLite file as large as one that is read on threads of their own, as if there were very many rows. */
export function enlarge(databaseUrl: string): void {
  const file = openFile(databaseUrl)
  file.prepare('insert into installation (name, value) values (?, ?)').run('padding', 'x'.repeat(20_000_000))
  file.close()
}

/** The statements that are prepared on this thread from now on, until the test ends. */
export function statementsHere(): string[] {
  const texts: string[] = []
  const { prepare } = SqliteConnection.prototype
  const spy = vi.spyOn(SqliteConnection.prototype, 'prepare').mockImplementation(function (
    this: SqliteConnection.Database,
    text: string,
  ) {
    texts.push(text)
    return prepare.call(this, text)
  })
  onTestFinished(() => spy.mockRestore())
  return texts
}

/** How SQLite would run a statement: a line for each step. */
export function planOf(databaseUrl: string, text: string): string {
  const file = openFile(databaseUrl)
  file.function('licet_fold', { deterministic: true }, (value) => value)
  try {
    const values = Array.from({ length: text.split('?').length - 1 }, () => '[]')
    const steps = file.prepare<unknown[], { detail: string }>(`explain query plan ${text}`).all(values)
    return steps.map(({ detail }) => detail).join('\n')
  } finally {
    file.close()
  }
}
