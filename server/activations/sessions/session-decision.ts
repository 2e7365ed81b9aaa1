import { refusalOf } from '../../entitlements/life/standing.ts'
import { isSeatHeld, seatUntil } from '../../entitlements/seats/holding.ts'
import type { SessionAsked } from './asking.ts'
import { type Decision, refuse, type SeatsWanted } from './decision.ts'
import { fingerprintsOf } from './former-fingerprints.ts'
import type { Granted } from './granted.ts'
import { giveSeatBack, takeSeat } from './holding.ts'
import type { SessionRow } from './licensed.ts'
import { standingDetails } from './precedence.ts'
import { leased, trialOf } from './renewing.ts'
import { isBlocked, type Scene } from './scene.ts'

/** Decides what an application asks with the token of its session: renew, check in, release. */
export function decideSessionCall(scene: Scene, asked: SessionAsked): Decision | SeatsWanted {
  const session = scene.sessions.find(asked.sessionId)
  if (!session) return notValid('The session is gone.')
  if (session.revoked_at !== null) return notValid('The session was revoked.')
  if (asked.deed === 'release' && session.released_at !== null) return { session }
  if (session.released_at !== null) return notValid('The session was released.')
  if (asked.fingerprint !== null && !fingerprintsOf(session).includes(asked.fingerprint))
    return refuse('license.device_not_allowed', "The session is another device's.")
  const granted = scene.entitlements.get(session.entitlement_id)
  return asked.deed === 'release'
    ? release(scene, session, granted)
    : goOn(scene, session, granted, asked.deed === 'renew')
}

function release(scene: Scene, session: SessionRow, granted: Granted | undefined): Decision | SeatsWanted {
  if (granted?.license.allowRelease === false)
    return refuse('license.release_not_allowed', 'A device may not give this seat back.')
  if (session.is_seated === 1) {
    if (!scene.isHeld(session.entitlement_id)) return { wants: session.entitlement_id }
    giveSeatBack(scene, session)
  }
  return {
    session: scene.sessions.put({ ...session, is_seated: 0, last_access_at: scene.now, released_at: scene.now }),
  }
}

/** The application goes on: its seat is kept, or taken again when it had lapsed. */
function goOn(
  scene: Scene,
  session: SessionRow,
  granted: Granted | undefined,
  isRenewal: boolean,
): Decision | SeatsWanted {
  const { now } = scene
  if (!granted) return refuse('license.entitlement_not_active', 'The entitlement is gone.')
  const standing = refusalOf(granted.row, now)
  if (standing) return refuse(standing, standingDetails[standing])
  const code = session.activation_code_id === null ? undefined : scene.codesById.get(session.activation_code_id)
  const trial = trialOf(granted, code, session.trial_expires_at, now)
  if (trial.endsAt !== null && trial.endsAt <= now) return refuse('license.expired', 'The trial is over.')
  if (isBlocked(scene, session.entitlement_id, fingerprintsOf(session)))
    return refuse('license.device_not_allowed', 'This device is blocked.')
  if (session.is_seated === 0 || !isSeatHeld(session, granted.license, now)) {
    if (!scene.isHeld(session.entitlement_id)) return { wants: session.entitlement_id }
    const refusal = takeSeat(scene, granted, code)
    if (refusal) return { refusal }
  }
  const row = isRenewal ? { ...session, ...leased(granted, trial, now) } : heardOf(session, granted, now)
  return { session: scene.sessions.put(row) }
}

const heardOf = (session: SessionRow, { license }: Granted, now: number): SessionRow => ({
  ...session,
  last_access_at: now,
  is_seated: 1,
  seat_until: seatUntil(now, license, session.grace_expires_at),
})

const notValid = (detail: string) => refuse('license.session_not_valid', detail)
