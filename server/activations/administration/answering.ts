import type { Readable } from '../../database/database.ts'
import { codeTextOf } from '../../entitlements/activation-codes/code-text.ts'
import { readCodes } from '../../entitlements/activation-codes/lookup.ts'
import { findEntitlements } from '../../entitlements/entitlements/loading.ts'
import { refusalOf } from '../../entitlements/life/standing.ts'
import { licensePolicyOf } from '../../entitlements/policies/effective.ts'
import type { ListQuery } from '../../kit/collection.ts'
import type { ReadContext, RequestContext } from '../../kit/context.ts'
import { toPage } from '../../kit/page.ts'
import type { SessionRow } from '../sessions/licensed.ts'
import { type SessionRecord, toWire } from '../sessions/wire.ts'
import { type Listed, listRows } from './store.ts'

/** The page of sessions that a list request asks for, as it is sent. */
export async function answerSessionPage(context: ReadContext, query: ListQuery, listed: Listed = {}) {
  const { rows, totalCount, pageNumber, pageSize } = await listRows(context, query, listed)
  return toPage(await answerSessions(context.read, context, rows), totalCount, pageNumber, pageSize)
}

/** Sessions of the tenant's as the back office reads them, all of a page at once. */
export async function answerSessions(
  read: Readable,
  { tenant, sealer, now }: Pick<RequestContext, 'tenant' | 'sealer' | 'now'>,
  rows: readonly SessionRow[],
): Promise<SessionRecord[]> {
  const codeIds = new Set(rows.flatMap(({ activation_code_id }) => activation_code_id ?? []))
  const codes = new Map((await readCodes(read, tenant.id, [...codeIds])).map((code) => [code.id, code]))
  const entitlementIds = new Set(rows.map(({ entitlement_id }) => entitlement_id))
  const found = await findEntitlements(read, tenant.id, [...entitlementIds])
  const entitlements = new Map(found.map((entitlement) => [entitlement.id, entitlement]))
  return rows.map((row) => {
    const code = codes.get(row.activation_code_id ?? '')
    const entitlement = entitlements.get(row.entitlement_id)
    const surroundings = {
      activationCode: code === undefined ? null : codeTextOf(sealer, code),
      licenseKey: entitlement?.license_key ?? null,
      isEntitlementGood: entitlement !== undefined && refusalOf(entitlement, now) === undefined,
      seatPolicy: entitlement && licensePolicyOf(entitlement),
    }
    return toWire(row, surroundings, now)
  })
}
