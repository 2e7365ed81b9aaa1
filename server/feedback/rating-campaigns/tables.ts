import type { RecordRow } from '../../kit/records/record-row.ts'

export interface RatingCampaignTables {
  rating_campaigns: RecordRow & {
    name: string
    description: string | null
    is_enabled: number
    starts_at: number | null
    ends_at: number | null
    /** JSON: the targets, in their order. */
    targets: string
  }
}
