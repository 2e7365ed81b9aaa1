import { existsSync } from 'node:fs'
import type { Database } from '../../server/database/database.ts'
import type { Sealer } from '../../server/kit/sealing.ts'
import { Problem } from '../problems.ts'
import { databaseProblem } from './database-problems.ts'

/** A database brought up to date and unsealed. */
export interface Installation {
  database: Database
  sealer: Sealer
}

/**
 * Opens the database that a URL names, works with it and closes it, whether or not a server has it open too. With
 * `mustExist` a SQLite file is not made. Raises cli.failed and cli.input for what an operator can mend.
 */
export async function withInstallation<Result>(
  url: string,
  work: (installation: Installation) => Promise<Result>,
  { mustExist = true } = {},
): Promise<Result> {
  const [{ readDatabaseUrl }, { openDatabase }, { migrate }, { openSealer }] = await Promise.all([
    import('../../server/database/database-url.ts'),
    import('../../server/database/open.ts'),
    import('../../server/database/migrate.ts'),
    import('../../server/access/installation/master-key.ts'),
  ])
  let database: Database | undefined
  try {
    const location = readDatabaseUrl(url)
    if (mustExist && location.kind === 'sqlite' && !existsSync(location.file)) throw noDatabase(location.file)
    database = openDatabase(url)
    await migrate(database)
    return await work({ database, sealer: await openSealer(database, location) })
  } catch (error) {
    throw databaseProblem(error, url)
  } finally {
    await database?.close()
  }
}

const noDatabase = (file: string) =>
  new Problem('cli.input', `There is no database ${file}.`, {
    hint: '--database URL or LICET_DATABASE_URL names it; "licet tenant create SLUG" makes one',
  })
