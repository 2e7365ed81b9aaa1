import type { RecordRow } from '../kit/records/record-row.ts'

export interface CatalogTables {
  catalog_revisions: { tenant_id: string; revision: number }
  tags: RecordRow & { scope: string; name: string; folded_name: string; color: string | null }
  tag_assignments: { tenant_id: string; record_id: string; tag_id: string }
  products: RecordRow & {
    product_code: string
    product_version: string | null
    name: string
    description: string | null
    status: string
    external_id: string | null
    expiration_date: number | null
    is_locked: number
    product_meta_data: string | null
    product_information: string | null
    property_values: string
    application_scopes: string
    features: string
    parent_product_id: string | null
  }
  features: RecordRow & {
    product_id: string
    feature_code: string
    name: string
    units: string | null
    metric_name: string | null
    feature_type: string
    lifecycle_status: string
    visibility: string
    meter_aggregation_type: string | null
    value_score: number | null
    enum_options: string
  }
  metrics: RecordRow & {
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
    metered_usage: string | null
    balance_usage: string | null
  }
  suites: RecordRow & {
    code: string
    name: string
    description: string | null
    /** JSON: [{ productId, sortOrder }]. */
    members: string
    /** The product whose own suite this is; null for a suite somebody made. */
    own_product_id: string | null
  }
  plan_sets: RecordRow & {
    suite_id: string
    name: string
    description: string | null
    status: string
    revision_date: number
    /** JSON: the plans, whose line items name products by id. */
    plans: string
  }
  add_ons: RecordRow & {
    suite_id: string
    code: string
    name: string
    description: string | null
    status: string
    /** JSON: ids of feature catalog entries; PRODUCT_ID/CODE for a feature that is only attached to its product. */
    features: string
    feature_values: string
  }
}
