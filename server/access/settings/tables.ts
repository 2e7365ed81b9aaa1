export interface SettingsTables {
  tenant_settings: {
    tenant_id: string
    /** JSON: what the tenant has set, without what it left at its default. */
    settings: string
    updated_at: number
    updated_by: string
    revision_number: number
  }
}
