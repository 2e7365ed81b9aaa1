import { expect, test } from 'vitest'
import { renewStatistics } from '../../../server/database/statistics.ts'
import { openMigrated } from '../../support/migrated-postgres.ts'
import { forEachStore } from '../../support/stores.ts'

forEachStore((store) => {
  test.runIf(store.kind === 'postgres')('PostgreSQL is told of a young table that has changed by a tenth', async () => {
    const { database, client } = await openMigrated(store)
    await client.query('create table "Young.one" (id integer)')
    const countAfter = async (added: number) => {
      await client.query('insert into "Young.one" select generate_series(1, $1)', [added])
      await client.query('select pg_stat_force_next_flush()')
      await renewStatistics(database)
      const { rows } = await client.query(`select reltuples from pg_class where relname = 'Young.one'`)
      return rows[0].reltuples
    }

    expect(await countAfter(60), 'it was never looked at').toBe(60)
    expect(await countAfter(50), 'too little has changed').toBe(60)
    expect(await countAfter(20)).toBe(130)
  })
})
