import { getUsableSession } from '../../activations/usage/usable-session.ts'
import { query } from '../../kit/procedure.ts'
import { requireOwnSession } from '../../kit/scope-check.ts'
import { listRatings, ratingPrompt } from './contract.ts'
import { findPrompt } from './prompting.ts'
import { questionOf } from './rating-prompt.ts'
import { campaignsOf, ratingPage } from './store.ts'
import { toWire } from './wire.ts'

/** What the vendor is told of ratings. */
export const ratings = {
  list: query(listRatings, async ({ read, tenant }, query) => {
    const page = await ratingPage(read, tenant.id, query)
    const campaignIds = await campaignsOf(
      read,
      tenant.id,
      page.items.map(({ id }) => id),
    )
    return { ...page, items: page.items.map((row) => toWire(row, campaignIds.get(row.id) ?? [])) }
  }),
}

/** What an application asks next about. */
export const ratingPrompts = {
  ratingPrompt: query(ratingPrompt, async ({ read, tenant, caller, now }, { sessionId }) => {
    const own = requireOwnSession(caller, sessionId)
    const session = await getUsableSession(read, tenant.id, own.sessionId, now)
    const ask = await findPrompt(read, session, now)
    return { prompt: ask ? { ...ask, question: questionOf(ask) } : null }
  }),
}
