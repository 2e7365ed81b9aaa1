import ipaddr from 'ipaddr.js'
import type { AuthenticationLevel } from '../../kit/context.ts'

/** What a decision on an activation looks at, beside seats. */
export interface ActivationFacts {
  now: number
  /** Why its entitlement may not be used now, if so. */
  standing: 'license.entitlement_not_active' | 'license.not_yet_valid' | 'license.expired' | undefined
  /** Whether it takes no devices but those that hold a seat. */
  isClosed: boolean
  /** Until when the code activates; null is as long as the entitlement. */
  codeExpiresAt: number | null
  /** When the device's trial ends; null when it is none. */
  trialExpiresAt: number | null
  /** How the user signed in; null when nobody did. */
  user: { id: string; level: Exclude<AuthenticationLevel, 'Default'> } | null
  /** What is asked of the user, by the code or else by the entitlement's policy. */
  requiredLevel: AuthenticationLevel
  /** Whether the user, if there is one, must have confirmed the e-mail address. */
  requiresVerifiedUser: boolean
  requiredUserId: string | null
  /** Whether the user is a member of the group that is asked for; true when none is. */
  isMember: boolean
  productCode: string | null
  requiresProductCode: boolean
  /** The product codes of the entitlement. */
  productCodes: readonly string[]
  applicationScope: string | null
  /** None is any. */
  allowedScopes: readonly string[]
  /** The address that the request came from. */
  ip: string
  /** In CIDR notation; none is any. */
  allowedNetworks: readonly string[]
  fingerprint: string
  isBlocked: boolean
  requiresNamedDevice: boolean
  /** The fingerprints that the code names; none is any. */
  namedDevices: readonly string[]
  shortestFingerprint: number
}

/** Why an activation is refused, in the order in which it is asked. */
export type Refusal = { codeName: RefusalName; detail: string }
export type RefusalName =
  | 'license.entitlement_not_active'
  | 'license.not_yet_valid'
  | 'license.expired'
  | 'license.authentication_required'
  | 'license.product_code_required'
  | 'license.scope_not_allowed'
  | 'license.network_not_allowed'
  | 'license.device_not_allowed'

/** In the words of the entitlement's own standing. */
export const standingDetails = {
  'license.entitlement_not_active': 'The entitlement is not active.',
  'license.not_yet_valid': 'The entitlement is not valid yet.',
  'license.expired': 'The entitlement, or its trial, is over.',
}

const notActive = 'license.entitlement_not_active'
/** What is said of an entitlement, or an offer to try, that takes no devices but those that hold a seat. */
export const closedDetail = 'New activations of it are disabled; devices that hold a seat go on.'

const levels: readonly AuthenticationLevel[] = ['Default', 'SignedIn', 'EmailVerified', 'MultiFactor']
const rankOf = (level: AuthenticationLevel) => levels.indexOf(level)

const sayIf = (isSo: boolean, detail: string) => (isSo ? detail : undefined)

const sendProductCode =
  'an activation online sends in productCode the code of the product that the application is; letter case counts.'
const quoted = (names: readonly string[]) => names.map((name) => JSON.stringify(name)).join(', ')

type Question = (facts: ActivationFacts) => Refusal | undefined

/** A question that says why not, or nothing. */
const ask =
  (codeName: RefusalName, explain: (facts: ActivationFacts) => string | undefined): Question =>
  (facts) => {
    const detail = explain(facts)
    return detail === undefined ? undefined : { codeName, detail }
  }

/** One question after another, first to last. */
const questions: readonly Question[] = [
  ({ standing, isClosed }) => {
    if (isClosed && standing !== notActive) return { codeName: notActive, detail: closedDetail }
    return standing && { codeName: standing, detail: standingDetails[standing] }
  },
  ask('license.expired', ({ trialExpiresAt, now }) => sayIf(isPast(trialExpiresAt, now), 'The trial is over.')),
  ask('license.expired', ({ codeExpiresAt, now }) =>
    sayIf(isPast(codeExpiresAt, now), 'The activation code has expired.'),
  ),
  ask('license.authentication_required', explainAuthentication),
  ask('license.product_code_required', ({ productCode, requiresProductCode, productCodes }) =>
    productCode === null
      ? sayIf(requiresProductCode, `A productCode is required: ${sendProductCode}`)
      : sayIf(
          !productCodes.includes(productCode),
          `The productCode is not one of the entitlement's: ${sendProductCode}`,
        ),
  ),
  ask('license.scope_not_allowed', ({ applicationScope, allowedScopes }) =>
    sayIf(
      applicationScope !== null && allowedScopes.length > 0 && !allowedScopes.includes(applicationScope),
      `The applicationScope is not one of the entitlement's, which are ${quoted(allowedScopes)}.`,
    ),
  ),
  ask('license.network_not_allowed', ({ ip, allowedNetworks }) =>
    sayIf(
      allowedNetworks.length > 0 && !allowedNetworks.some((network) => isWithin(network, ip)),
      'The address of this device is outside the allowed networks.',
    ),
  ),
  ask('license.device_not_allowed', explainDevice),
]

/** The first refusal that applies, in the one order that the README has; nothing when the device may have a seat. */
export function refusalOfActivation(facts: ActivationFacts): Refusal | undefined {
  for (const question of questions) {
    const refusal = question(facts)
    if (refusal) return refusal
  }
  return undefined
}

const isPast = (end: number | null, now: number) => end !== null && end <= now

function explainAuthentication(facts: ActivationFacts): string | undefined {
  const { user, requiredLevel, requiresVerifiedUser, requiredUserId, isMember } = facts
  if (user && requiredUserId !== null && user.id !== requiredUserId)
    return 'The user who has signed in is not the one that this activation code is for: another user must sign in.'
  if (user && !isMember)
    return 'The user who has signed in is not a member of the organization group that is asked for: the vendor must add them to it.'
  const asked = Math.max(rankOf(requiredLevel), requiredUserId !== null || !isMember ? rankOf('SignedIn') : 0)
  const mustBeVerified = requiresVerifiedUser && (user !== null || asked > 0)
  const required = Math.max(asked, mustBeVerified ? rankOf('EmailVerified') : 0)
  if (rankOf(user?.level ?? 'Default') >= required) return undefined
  return user
    ? `The user has signed in at level ${user.level}; at least ${levels[required]} is asked for.`
    : `A user must have signed in at level ${levels[required]}: activate online with the token of one, and useInteractiveUser true.`
}

function explainDevice(facts: ActivationFacts): string | undefined {
  const { fingerprint, isBlocked, requiresNamedDevice, namedDevices, shortestFingerprint } = facts
  if (isBlocked) return 'This device is blocked.'
  if ([...fingerprint].length < shortestFingerprint)
    return `The fingerprint must have at least ${shortestFingerprint} characters.`
  const mustBeNamed = requiresNamedDevice || namedDevices.length > 0
  return sayIf(mustBeNamed && !namedDevices.includes(fingerprint), notNamed)
}

const notNamed =
  'This device was not named beforehand: the vendor must add its fingerprint to the preAuthorizedDevices of the activation code.'

/** Whether an address is in a network (RFC 4632, RFC 4291 §2.3); IPv4 in IPv6 form (§2.5.5.2), address or network, is IPv4. */
function isWithin(network: string, ip: string): boolean {
  if (!ipaddr.isValid(ip)) return false
  const address = ipaddr.process(ip)
  const [range, bits] = unmapped(network.includes('/') ? ipaddr.parseCIDR(network) : wholeAddress(network))
  return address.kind() === range.kind() && address.match(range, bits)
}

type Range = [first: ipaddr.IPv4 | ipaddr.IPv6, bits: number]

/** How long the prefix is that makes an IPv4 address an IPv6 one. */
const mappingBits = 96

const unmapped = ([first, bits]: Range): Range =>
  first instanceof ipaddr.IPv6 && first.isIPv4MappedAddress() && bits >= mappingBits
    ? [first.toIPv4Address(), bits - mappingBits]
    : [first, bits]

function wholeAddress(text: string): Range {
  const address = ipaddr.parse(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}
