import { type ChosenEnvironment, environmentName } from '../environments/choosing.ts'
import { duringPhase } from '../progress.ts'
import { type ActivationCode, adminClient, listFirst } from './tenant-records.ts'

/** The codes of an entitlement, the oldest first, at most `limit` of them, and how many there are. */
export const listCodes = (
  environment: ChosenEnvironment,
  entitlementId: string,
  limit: number,
): Promise<{ items: ActivationCode[]; total: number }> =>
  duringPhase(`Reading the codes from ${environmentName(environment)}`, () => {
    const { list } = codesOf(environment, 'read')
    return listFirst(limit, (page) => list.query({ id: entitlementId, ...page }))
  })

/** What a new code asks of whoever activates by it, and until when; what is absent is as the entitlement has it. */
export interface CodeWish {
  email?: string
  maxDeviceActivations?: number
  fingerprint?: string
  expirationTimeStamp?: string
}

/** Issues a code, made by the entitlement's key issuance policy. */
export const createCode = (
  environment: ChosenEnvironment,
  entitlementId: string,
  wish: CodeWish,
): Promise<ActivationCode> =>
  duringPhase(`Issuing a code in ${environmentName(environment)}`, () =>
    codesOf(environment, 'create').issue.mutate({ id: entitlementId, ...wish }),
  )

/** Revokes a code for good: nothing is activated by it any more, and what it opened stays. */
export const revokeCode = (environment: ChosenEnvironment, entitlementId: string, codeId: string) =>
  duringPhase(`Revoking the code in ${environmentName(environment)}`, () =>
    codesOf(environment, 'update').revoke.mutate({ id: entitlementId, codeId }),
  )

/** Deletes a code, so that its text may be issued again; what it opened stays. */
export const deleteCode = (environment: ChosenEnvironment, entitlementId: string, codeId: string) =>
  duringPhase(`Deleting the code in ${environmentName(environment)}`, () =>
    codesOf(environment, 'delete').delete.mutate({ id: entitlementId, codeId }),
  )

const codesOf = (environment: ChosenEnvironment, verb: 'read' | 'create' | 'update' | 'delete') =>
  adminClient(environment, `admin.entitlements:${verb}`).entitlements.activationCodes
