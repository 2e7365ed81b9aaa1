export interface SnapshotTables {
  catalog_imports: {
    id: string
    tenant_id: string
    imported_at: number
    imported_by: string
    source: string | null
    revision_before: number
    revision_after: number
    /** JSON: the report's summary. */
    summary: string
    /** gzip of JSON: the whole report. */
    report: Uint8Array
    /** gzip of JSON: what the import touched, as it was before. */
    before_snapshot: Uint8Array
  }
  /** The state of each tenant's catalog right after its last import. */
  catalog_baselines: {
    tenant_id: string
    import_id: string
    revision: number
    /** gzip of JSON: every item, by section. */
    items: Uint8Array
  }
}
