import { isObject } from '../json-objects.ts'
import { type License, licenseOf } from '../licenses/license-claims.ts'
import type { LicenseFile } from '../licenses/license-file.ts'
import { maskedCode, type OfflineRequest } from '../licenses/offline-request.ts'
import { readOfflineResponse } from '../licenses/offline-response.ts'
import { tableOf } from '../table.ts'
import type { Verified } from '../tasks/verify-license.ts'
import { instantWords } from '../time-words.ts'
import { visible } from '../visible-text.ts'

/** Names and values, one a line, the names aligned; without those that have no value. */
export function factLines(facts: readonly (readonly [string, string | null])[]): string[] {
  const told = facts.flatMap(([name, value]) => (value === null || value === '' ? [] : [[name, value] as const]))
  const width = Math.max(...told.map(([name]) => name.length))
  return told.map(([name, value]) => visible(`  ${name.padEnd(width)}  ${value}`))
}

/** What a licence says, as a person reads it: for what, for whom and until when; then its features. */
function licenseLines(license: License, now: number): string[] {
  const { products, features, leaseUntil, graceUntil, expiresAt } = license
  const until = (at: number | null) => (at === null ? null : instantWords(at, now))
  const facts = factLines([
    ['products', products.map(productWords).join(', ')],
    ['plan', license.plan],
    ['kind', license.isTrial ? 'trial' : null],
    ['scope', license.applicationScope],
    ['entitlement', license.entitlementId],
    ['session', license.sessionId],
    ['device', license.fingerprint === null ? null : `${license.fingerprint.slice(0, 16)}… (hash of its fingerprint)`],
    ['issued by', license.issuer],
    ['issued', until(license.issuedAt)],
    ['valid from', license.notBefore === license.issuedAt ? null : until(license.notBefore)],
    ['lease until', leaseUntil === expiresAt ? null : until(leaseUntil)],
    ['grace until', graceUntil === expiresAt ? null : until(graceUntil)],
    ['expires', until(expiresAt)],
    ['answers', license.nonce === null ? null : `the request with nonce ${license.nonce}`],
  ])
  if (features.length === 0) return facts
  const rows = features.map(({ code, value, isEnabled, expiresAt: end }) => [
    code,
    value,
    isEnabled ? 'enabled' : 'disabled',
    end === null ? null : instantWords(end, now),
  ])
  return [...facts, '', ...tableOf(['FEATURE', 'VALUE', 'STATE', 'EXPIRES'], rows).split('\n')]
}

const productWords = ({ code, version }: License['products'][number]) =>
  version === null ? code : `${code}@${version}`

/** What a request asks, as a person reads it; its code by the end alone. */
function requestLines({ meta, body }: OfflineRequest, now: number): string[] {
  const application: Record<string, unknown> = isObject(body.applicationInfo) ? body.applicationInfo : {}
  const told = (value: unknown) => (typeof value === 'string' ? value : null)
  return factLines([
    ['code', maskedCode(body.activationCode)],
    ['fingerprint', body.fingerprint],
    ['application', told(application.applicationName)],
    ['version', told(application.installedApplicationVersion)],
    ['instance', told(application.applicationInstanceName)],
    ['scope', told(application.applicationScope)],
    ['components', isObject(body.components) ? Object.keys(body.components).join(', ') : null],
    ['requested', instantWords(Date.parse(meta.requestedAt), now)],
    ['nonce', meta.nonce],
    ['made by', told(meta.sdkVersion)],
  ])
}

/** What a file says, under what it is. */
export function licenseFileLines(file: LicenseFile, now: number): string[] {
  if (file.kind === 'offline-request')
    return ['Offline request (licet offline issue answers it)', ...requestLines(file.request, now)]
  const [head, { claims }] =
    file.kind === 'offline-response'
      ? ['Offline licence (signature not checked: licet offline verify)', file.response]
      : ['License token (signature not checked: licet license verify)', file.token]
  return [head, ...licenseLines(licenseOf(claims), now)]
}

/** A verdict in words: that it is valid, by what, and what it says; or every reason why not. */
export function verdictLines({ valid, reasons, kid, checked, claims }: Verified, now: number): string[] {
  const says = claims === null ? [] : licenseLines(licenseOf(claims), now)
  if (!valid) return [...reasons.map(({ code, message }) => visible(`INVALID  ${message} (${code})`)), ...says]
  const isBound = checked.includes('fingerprint')
  return [
    visible(`VALID  ${checked.join(', ')} checked${kid === null ? '' : `, key ${kid}`}`),
    ...says,
    ...(isBound ? [] : ['', 'Not checked: whether it is for this device (--fingerprint).']),
  ]
}

/** A response that was written, in one line: where, for what, and until when. */
export function issuedLine(file: string, envelope: Record<string, unknown>, now: number): string {
  const response = readOfflineResponse(envelope)
  const { products, expiresAt } = licenseOf('claims' in response ? response.claims : {})
  const until = expiresAt === null ? '' : ` until ${instantWords(expiresAt, now)}`
  return visible(`Wrote ${file}: ${products.map(productWords).join(', ') || 'no product'}${until}`)
}

/** A session as the runtime answers it: its id, and how long it goes on without another call. */
export function sessionLines({ session, checkInBefore }: Record<string, unknown>, now: number): string[] {
  if (!isObject(session)) return []
  const text = (value: unknown) => (typeof value === 'string' ? value : null)
  const until = (value: unknown) => {
    const at = typeof value === 'string' ? Date.parse(value) : Number.NaN
    return Number.isNaN(at) ? null : instantWords(at, now)
  }
  return factLines([
    ['session', text(session.id)],
    ['device', text(session.deviceName)],
    ['plan', text(session.appliedPlanName)],
    ['kind', session.isTrial === true ? 'trial' : null],
    ['check in before', until(checkInBefore)],
    ['lease until', until(session.leaseExpiration)],
    ['grace until', session.graceExpiration === session.leaseExpiration ? null : until(session.graceExpiration)],
  ])
}
