import { task } from '../../kit/procedure.ts'
import { findAdmittingCode } from './asking.ts'
import { checkAdmission } from './contract.ts'
import { keepPace } from './keeping-pace.ts'

/** Whether a code would let somebody new in; every answer keeps the pace. */
export const check = task(checkAdmission, (context, { activationCode }) =>
  keepPace(async () => {
    const codeId = await findAdmittingCode(context.database.read, context, activationCode)
    return { admitted: codeId !== undefined }
  }),
)
