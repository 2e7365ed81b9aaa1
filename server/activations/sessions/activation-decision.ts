import type { CodeRow } from '../../entitlements/activation-codes/lookup.ts'
import { refusalOf } from '../../entitlements/life/standing.ts'
import { startTrial } from '../../entitlements/life/trials.ts'
import { isSeatHeld } from '../../entitlements/seats/holding.ts'
import type { AuthenticationLevel } from '../../kit/context.ts'
import { invalid } from '../../kit/problem.ts'
import type { ActivationAsked } from './asking.ts'
import { findSameDevice, likenessOf } from './component-matching.ts'
import { type Decision, refuse, type SeatsWanted } from './decision.ts'
import { findActivatedWith, fingerprintsOf, oldestOf } from './former-fingerprints.ts'
import type { Granted } from './granted.ts'
import { takeSeat } from './holding.ts'
import type { SessionRow } from './licensed.ts'
import { newSession, saidBy } from './new-session.ts'
import { type ActivationFacts, refusalOfActivation } from './precedence.ts'
import { leased, type Trial, trialOf } from './renewing.ts'
import { type AlikeDevice, deviceKey, isBlocked, type Scene } from './scene.ts'

/** Decides whether a device gets a seat: its own again, one that is free, or none. */
export function decideActivation(scene: Scene, asked: ActivationAsked): Decision | SeatsWanted {
  const code = asked.codeKeys?.map((key) => scene.codesByKey.get(key)).find((found) => found !== undefined)
  const entitlementId = code?.entitlement_id ?? asked.entitlementId
  const granted = entitlementId === null ? undefined : scene.entitlements.get(entitlementId)
  if (asked.codeKeys && (!code || code.revoked_at !== null || !granted)) return refuse('license.not_found', unknownCode)
  if (!granted) return refuse('license.entitlement_not_active', 'The entitlement is gone.')
  if (!asked.codeKeys && granted.activation.requireActivationWorkflow)
    return {
      refusal: invalid([{ pointer: '/activationCode', message: 'this entitlement asks for an activation code' }]),
    }
  return decideDevice(scene, asked, granted, code)
}

/** The same words whether it never was, was deleted or revoked, or is another tenant's. */
const unknownCode = 'There is no such activation code.'

function decideDevice(
  scene: Scene,
  asked: ActivationAsked,
  known: Granted,
  code: CodeRow | undefined,
): Decision | SeatsWanted {
  const { now } = scene
  const begun = startTrial(known.row, now)
  const granted = begun === known.row ? known : { ...known, row: begun }
  const holder = asked.holder ?? holderOf(code, asked.user?.userId, granted.row.id)
  const instanceId = instanceOf(asked, granted)
  const device = findDevice(scene, asked, granted, holder, instanceId)
  const session = device === 'blocked' ? undefined : device
  const fingerprints = [asked.fingerprint, ...(session ? fingerprintsOf(session) : [])]
  const isDeviceBlocked = device === 'blocked' || isBlocked(scene, granted.row.id, fingerprints)
  const firstTrial = scene.firstTrials.get(deviceKey(holder, asked.fingerprint, ''))
  const trial = trialOf(granted, code, earliest([firstTrial?.trial_expires_at, session?.trial_expires_at]), now)
  const isSeated = session?.is_seated === 1 && isSeatHeld(session, granted.license, now)
  const isClosed = granted.row.activations_enabled === 0 && !isSeated
  const facts = factsOf(scene, asked, granted, code, trial)
  const refusal = refusalOfActivation({ ...facts, isClosed, isBlocked: isDeviceBlocked })
  if (refusal) return refuse(refusal.codeName, refusal.detail)
  const isFirst = granted !== known
  if ((!isSeated || isFirst) && !scene.isHeld(granted.row.id)) return { wants: granted.row.id }
  const full = isSeated ? undefined : takeSeat(scene, granted, code)
  if (full) return { refusal: full }
  if (isFirst) {
    scene.entitlements.set(granted.row.id, granted)
    scene.begun.push({ row: known.row, asked })
  }
  const row = {
    ...(session ?? newSession(granted, { holder, instanceId, codeId: code?.id ?? null, now })),
    ...saidBy(asked, granted, code, session),
    ...leased(granted, trial, now),
  }
  return { session: scene.sessions.put(row) }
}

/** When a device has had several trials, the one that ends first is its own. */
function earliest(ends: readonly (number | null | undefined)[]): number | null {
  const known = ends.filter((end) => end != null)
  return known.length === 0 ? null : Math.min(...known)
}

/** Within what a device is known again. */
export const holderOf = (code: { id: string } | undefined, userId: string | undefined, entitlementId: string) =>
  code ? `code:${code.id}` : `user:${userId}/${entitlementId}`

/** The running instance, where each takes a seat of its own. */
export const instanceOf = ({ instanceId }: ActivationAsked, { license }: Granted) =>
  license.concurrentInstances ? instanceId : ''

/**
 * The open session of the device: of the same fingerprint, or one it was activated with before, or of enough of the same
 * components; where instances do not count (any more), of whatever instance. A device that is known by components alone may as
 * well be one that was known within the same and is blocked.
 */
function findDevice(
  scene: Scene,
  { fingerprint, components }: ActivationAsked,
  { row, license }: Granted,
  holder: string,
  instanceId: string,
): SessionRow | 'blocked' | undefined {
  const same = scene.sessions.findByDevice(deviceKey(holder, fingerprint, instanceId))
  if (same) return same
  const { componentMatchingStrategy: strategy, concurrentInstances } = license
  const open = scene.sessions.openOf(holder)
  const others = concurrentInstances ? open.filter((session) => session.instance_id === instanceId) : open
  const ofOthers = oldestOf(others.filter((session) => session.fingerprint === fingerprint))
  if (ofOthers || strategy === 'MatchAll') return ofOthers
  const before = findActivatedWith(fingerprint, others)
  if (before || !components) return before
  const blocked = (scene.blockedAlike.get(row.id) ?? []).filter((one) => one.holder === holder)
  const alike = findSameDevice<AlikeDevice>(strategy, components, [...others, ...blocked])
  const own = alike && others.find(({ id }) => id === alike.id)
  if (!alike || own) return own
  // Its sessions of other instances tell, too, that it is another device than the blocked one.
  const sound = open.filter((session) => !isBlocked(scene, row.id, fingerprintsOf(session)))
  const least = likenessOf(components, alike)
  const isAnother = findActivatedWith(fingerprint, sound) || sound.some((one) => likenessOf(components, one) > least)
  return isAnother ? undefined : 'blocked'
}

function factsOf(
  scene: Scene,
  asked: ActivationAsked,
  { row, activation, license, productIds }: Granted,
  code: CodeRow | undefined,
  trial: Trial,
): Omit<ActivationFacts, 'isClosed' | 'isBlocked'> {
  const group = groupAskedBy(activation, code)
  return {
    now: scene.now,
    standing: refusalOf(row, scene.now),
    codeExpiresAt: code?.expires_at ?? null,
    trialExpiresAt: trial.endsAt,
    user: asked.user && { id: asked.user.userId, level: asked.user.level },
    requiredLevel: (code?.required_authentication_level ??
      activation.requiredAuthenticationLevel) as AuthenticationLevel,
    requiresVerifiedUser: activation.requireNewUserVerification,
    requiredUserId: code?.required_user_id ?? null,
    isMember: group === null || scene.members.has(`${group} ${asked.user?.userId}`),
    productCode: asked.productCode,
    requiresProductCode: activation.requireProductCode,
    productCodes: productIds.map((id) => scene.products.get(id)?.code ?? ''),
    applicationScope: asked.applicationScope,
    allowedScopes: license.allowedApplicationScopes,
    ip: asked.ip,
    allowedNetworks: activation.allowedIpCidr,
    fingerprint: asked.fingerprint,
    requiresNamedDevice: activation.requirePreConfiguredDeviceIdentification,
    namedDevices: code ? namedBy(code) : [],
    shortestFingerprint: activation.requiredDeviceIdentificationSignatureLength ?? 0,
  }
}

/** The organization group that a user must belong to, by the code or else by the entitlement's policy. */
export const groupAskedBy = (
  { requireOrganizationGroupMember }: Pick<Granted['activation'], 'requireOrganizationGroupMember'>,
  code: CodeRow | undefined,
): string | null => code?.organization_group_id ?? requireOrganizationGroupMember

/** The devices that a code names beforehand. */
const namedBy = ({ pre_authorized_devices, fingerprint }: CodeRow): string[] => [
  ...(pre_authorized_devices === null ? [] : (JSON.parse(pre_authorized_devices) as string[])),
  ...(fingerprint === null ? [] : [fingerprint]),
]
