import { addOns } from './add-ons/procedures.ts'
import { featureCatalog } from './features/procedures.ts'
import { monitoredAssets } from './metrics/procedures.ts'
import { planSets } from './plan-sets/procedures.ts'
import { products } from './products/procedures.ts'
import { suites } from './suites/procedures.ts'
import { tags } from './tags/procedures.ts'

/** What the catalog adds to the router, below `admin`. */
export const catalogProcedures = {
  tags,
  products,
  featureCatalog,
  monitoredAssets,
  suites,
  planSets,
  addOns,
}
