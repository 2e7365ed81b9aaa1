import type { Snapshot } from '../../catalog-schema/snapshot.ts'
import type { ChosenEnvironment } from '../environments/choosing.ts'
import type { CatalogReport } from './catalog-report.ts'
import { catalogClient } from './compare.ts'
import { filesReader } from './drift-files.ts'

/** Whether an environment has drifted and the files, with which it was compared, say so in everything: it is kept then. */
export async function isDriftKept(
  environment: ChosenEnvironment,
  snapshot: Snapshot,
  compared: CatalogReport,
): Promise<boolean> {
  const { items } = await catalogClient(environment).drift.query({})
  const says = filesReader(snapshot, compared)
  const words = items.flatMap((item) => item.changes?.map((change) => says(item, change)) ?? [says(item)])
  return words.length > 0 && words.every((word) => word === 'same')
}
