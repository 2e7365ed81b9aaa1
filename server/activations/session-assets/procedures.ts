import { metricSourceOf, toWire } from '../../catalog/metrics/wire.ts'
import { query } from '../../kit/procedure.ts'
import { answerPage } from '../../kit/records/paging.ts'
import { getRow } from '../administration/store.ts'
import { listAssetsOfSession } from './contract.ts'

/** The monitored assets of a license session. */
export const listBySession = query(listAssetsOfSession, async (context, { sessionId, ...input }) => {
  const session = await getRow(context.read, context.tenant.id, sessionId)
  return answerPage(context, input, metricSourceOf(session.entitlement_id), toWire)
})
