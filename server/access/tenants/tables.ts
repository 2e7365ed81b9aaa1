export interface TenantTables {
  tenants: {
    id: string
    slug: string
    name: string
    kind: 'Live' | 'Sandbox'
    /** Milliseconds that a sandbox tenant's clock is ahead. */
    clock_offset: number
    created_at: number
  }
  tenant_host_names: { host_name: string; tenant_id: string }
}
