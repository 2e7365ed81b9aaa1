import type { RecordRow } from '../../kit/records/record-row.ts'

export interface CustomerTables {
  customers: RecordRow & {
    name: string
    email: string | null
    external_reference: string | null
    description: string | null
    metadata: string | null
  }
}
