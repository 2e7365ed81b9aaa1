export interface PrincipalTables {
  entitlement_principals: {
    tenant_id: string
    entitlement_id: string
    user_id: string
    assigned_at: number
    assigned_by: string
  }
}
