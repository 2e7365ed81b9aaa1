import { type Static, Type } from 'typebox'
import { NullableText } from '../../../catalog-schema/scalars.ts'
import { Closed } from '../../../catalog-schema/shapes.ts'
import { findUserStanding } from '../../access/users/standing.ts'
import type { ListQuery } from '../../kit/collection.ts'
import type { ReadContext } from '../../kit/context.ts'
import { type Page, toPage } from '../../kit/page.ts'
import { recordNotFound } from '../../kit/problem.ts'
import { listRecords } from '../../kit/records/store.ts'
import { listAssigned } from '../principals/assignments.ts'
import { heldSeats } from '../seats/held.ts'
import { CodeRecord } from './contract.ts'
import { ownCodeFields } from './fields.ts'
import { codeTextFieldOf } from './lookup.ts'
import { ownCodeSource } from './store.ts'
import { toWire } from './wire.ts'

/** An activation code as the person sees it whom it was issued to. */
export const OwnCodeRecord = Closed(
  {
    ...Type.Pick(CodeRecord, ownCodeFields).properties,
    activationCode: Type.String({ description: 'The code itself.' }),
    entitlementName: NullableText(200, { description: 'What its entitlement is called.' }),
  },
  { description: 'What lets a device or a person activate an entitlement.' },
)
export type OwnCodeRecord = Static<typeof OwnCodeRecord>

/** The codes that were issued to a user, a page of them, the first issued first unless a sortOrder says otherwise. */
export async function listOwnCodes(
  context: ReadContext,
  userId: string,
  query: ListQuery,
): Promise<Page<OwnCodeRecord>> {
  const { read, tenant, sealer, now } = context
  const user = await findUserStanding(read, tenant.id, userId)
  if (!user) throw recordNotFound('user')
  const isHeld = await heldSeats(read, tenant.id, now)
  const holder = { ...user, assigned: await listAssigned(read, tenant.id, user.id) }
  const source = ownCodeSource(holder, codeTextFieldOf(context), now, isHeld)
  const { rows, totalCount, ...page } = await listRecords(read, source, tenant.id, query)
  const items = rows.map((row) => toOwn(toWire(sealer, row, now), row.entitlement_name))
  return toPage(items, totalCount, page.pageNumber, page.pageSize)
}

const toOwn = (code: CodeRecord, entitlementName: string | null): OwnCodeRecord => ({
  id: code.id,
  activationCode: code.activationCode,
  entitlementId: code.entitlementId,
  entitlementName,
  status: code.status,
  usedActivations: code.usedActivations,
  maxDeviceActivations: code.maxDeviceActivations,
  useEntitlementMaxActivations: code.useEntitlementMaxActivations,
  email: code.email,
  isTrialActivation: code.isTrialActivation,
  requiresUserConsent: code.requiresUserConsent,
  expirationTimeStamp: code.expirationTimeStamp,
  createdAt: code.createdAt,
})
