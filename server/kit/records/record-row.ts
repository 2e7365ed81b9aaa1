/** What every record has beside its own fields; booleans are 0 or 1, instants milliseconds, lists and objects JSON. */
export interface RecordRow {
  id: string
  tenant_id: string
  is_deleted: number
  created_at: number
  updated_at: number
  /** Who changed it last, such as `client:…`. */
  updated_by: string
  revision_number: number
}
