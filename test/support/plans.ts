import { type Kysely, type KyselyPlugin, RawNode } from 'kysely'
import type { Database } from '../../server/database/database.ts'
import type { Tables } from '../../server/database/tables.ts'

/** Reads a store by asking how it would run each statement instead of running it, and keeps what it said: a text for each. */
export function explaining({ kind, read }: Database): { read: Kysely<Tables>; plans: string[] } {
  const explain = kind === 'postgres' ? 'explain ' : 'explain query plan '
  const plans: string[] = []
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => RawNode.create([explain, ''], [node]),
    async transformResult({ result }) {
      plans.push(result.rows.map((row) => row['QUERY PLAN'] ?? row.detail).join('\n'))
      return result
    },
  }
  return { read: read.withPlugin(plugin), plans }
}
