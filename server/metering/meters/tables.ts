import type { RecordRow } from '../../kit/records/record-row.ts'

export interface MeterTables {
  /** The monitored assets of entitlements: copied from the catalog's, or of the metrics that features name. */
  meters: RecordRow & {
    entitlement_id: string
    product_id: string
    metric_name: string
    name: string
    description: string | null
    metric_type: string
    unit: string | null
    category: string | null
    number_format: string | null
    allowed_back_dating_tolerance: string | null
    metered_usage_id: string | null
    balance_usage_id: string | null
    /** JSON: the definitions as the catalog had them when the meter was opened; `{}` where only a feature named the metric. */
    own_metered_usage: string | null
    own_balance_usage: string | null
    /** JSON: the definitions in effect, as the entitlement's plan and add-ons make them of its own. */
    metered_usage: string | null
    balance_usage: string | null
  }
}
