import type { AddOnFeatureValue } from '../../../catalog-schema/add-on.ts'
import type { Readable } from '../../database/database.ts'
import { getRecord } from '../../kit/records/store.ts'
import { getSuite } from '../suites/surroundings.ts'

/** An add-on as entitlements ask about it. */
export interface AddOnStanding {
  id: string
  code: string
  name: string
  status: string
  /** The products of its suite. */
  productIds: string[]
  featureValues: AddOnFeatureValue[]
}

/** The add-on of that id; throws the not-found problem. */
export async function getAddOnStanding(readable: Readable, tenantId: string, id: string): Promise<AddOnStanding> {
  const row = await getRecord(readable, 'add_ons', tenantId, id, 'add-on')
  const { memberIds } = await getSuite(readable, tenantId, row.suite_id)
  const featureValues = JSON.parse(row.feature_values) as AddOnFeatureValue[]
  return { id: row.id, code: row.code, name: row.name, status: row.status, productIds: memberIds, featureValues }
}
