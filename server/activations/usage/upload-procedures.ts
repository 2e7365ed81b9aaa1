import { task } from '../../kit/procedure.ts'
import { uploadOfEntitlement, uploadOfSession } from './upload-contract.ts'
import { uploadForEntitlement, uploadForSession } from './uploading.ts'

export const uploadProcedures = {
  sessions: { transactions: task(uploadOfSession, uploadForSession) },
  entitlements: { transactions: task(uploadOfEntitlement, uploadForEntitlement) },
}
