import { lockLostDeviceLimit } from '../../access/settings/lost-devices.ts'
import { listOwnSessions, releaseOwnSession } from '../../activations/administration/own-sessions.ts'
import { callerId } from '../../kit/context.ts'
import { mutation, query } from '../../kit/procedure.ts'
import { stampOf } from '../../kit/records/stamp.ts'
import { listOwn, releaseOwn } from './contract.ts'

/** What signed-in end users do with the seats of their own devices. */
export const ownSessions = {
  list: query(listOwn, (context, input) => listOwnSessions(context, callerId(context.caller), input)),

  release: mutation(releaseOwn, async (context, { id }) => {
    const limit = await lockLostDeviceLimit(context.tx, stampOf(context))
    return releaseOwnSession(context, { id, userId: callerId(context.caller) }, limit)
  }),
}
