import { sessionNames } from '../../activations/administration/contract.ts'
import { ReleaseAnswer } from '../../activations/sessions/contract.ts'
import { SessionRecord } from '../../activations/sessions/wire.ts'
import { idParams, listQuery, pageOf } from '../../kit/collection.ts'
import { contract, provision } from '../../kit/contract.ts'

const path = `${provision}/consumer/me/sessions`

export const listOwn = contract({
  name: 'consumer.sessions.list',
  method: 'GET',
  path,
  access: 'user',
  summary: "List the user's own active license sessions",
  description: 'Those that the user activated, signed in, and that hold a seat.',
  query: listQuery,
  answer: pageOf(SessionRecord),
  ...sessionNames,
})

export const releaseOwn = contract({
  name: 'consumer.sessions.release',
  method: 'POST',
  path: `${path}/{id}/release`,
  access: 'user',
  summary: "Free the seat of the user's own device, such as a lost one",
  description:
    'The seat is free at once, and the next call of the device is refused. At most 3 devices in 30 days, or what `settings.lostDevices` says. Again: the same answer.',
  params: idParams,
  answer: ReleaseAnswer,
  problems: [
    'license.record_not_found',
    'license.session_not_valid',
    'license.release_not_allowed',
    'request.rate_limited',
  ],
})
