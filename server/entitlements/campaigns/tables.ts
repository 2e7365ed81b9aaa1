import type { RecordRow } from '../../kit/records/record-row.ts'

export interface CampaignTables {
  campaigns: RecordRow & {
    name: string
    description: string | null
    source: string | null
    starts_at: number | null
    ends_at: number | null
  }
  campaign_touches: {
    id: string
    tenant_id: string
    campaign_id: string
    entitlement_id: string
    /** Issuance: an entitlement was made because of the campaign. */
    kind: string
    touched_at: number
  }
}
