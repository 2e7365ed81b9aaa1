import type { RecordRow } from '../../kit/records/record-row.ts'

export interface OrganizationGroupTables {
  organization_groups: RecordRow & { name: string; description: string | null; external_reference: string | null }
  organization_group_members: { tenant_id: string; group_id: string; user_id: string; added_at: number }
}
