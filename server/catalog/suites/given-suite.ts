import type { Readable } from '../../database/database.ts'
import { invalid } from '../../kit/problem.ts'
import { findOwnSuite, findSuite, type SuiteStanding } from './surroundings.ts'

/** The suite that a request puts a new record under: by its id, or a product's own by the product's. Throws the validation problem when there is none, or both are given. */
export async function getGivenSuite(
  readable: Readable,
  tenantId: string,
  { suiteId, productId }: { suiteId?: string | null; productId?: string | null },
): Promise<SuiteStanding> {
  const [bySuite, byProduct] = [typeof suiteId === 'string', typeof productId === 'string']
  if (bySuite === byProduct)
    throw invalid([
      { pointer: bySuite ? '/productId' : '/suiteId', message: 'give suiteId or productId, one of the two' },
    ])
  const suite = bySuite
    ? await findSuite(readable, tenantId, String(suiteId).toLowerCase())
    : await findOwnSuite(readable, tenantId, String(productId).toLowerCase())
  if (suite) return suite
  const [field, what] = bySuite ? ['suiteId', 'suite'] : ['productId', 'product']
  throw invalid([{ pointer: `/${field}`, message: `there is no ${what} with that id` }])
}

/** Refuses an edit that names another suite than the record's own; throws the validation problem. */
export function requireOwnSuite(row: { suite_id: string }, suiteId: string | null | undefined): void {
  if (suiteId && suiteId.toLowerCase() !== row.suite_id)
    throw invalid([{ pointer: '/suiteId', message: 'the suite of a record is fixed when it is created' }])
}
