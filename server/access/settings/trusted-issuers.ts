import ipaddr from 'ipaddr.js'
import type { FieldError } from '../../kit/problem.ts'
import { isLoopbackHost, isPublicAddress } from '../../kit/public-address.ts'
import type { TrustedIssuer } from './contract.ts'

/**
 * What is wrong with a list of trusted issuers; `own` are the tenant's own, whose tokens of other kinds would be end users',
 * `isLocal` where the service is on somebody's own machine alone.
 */
export function findIssuerErrors(
  issuers: readonly TrustedIssuer[],
  own: readonly string[],
  isLocal: boolean,
): FieldError[] {
  const known = new Set<string>()
  return issuers.flatMap((trusted, index) => {
    const at = `/trustedIssuers/${index}`
    const name = JSON.stringify([trusted.issuer, trusted.audience])
    const isRepeated = known.has(name)
    known.add(name)
    const uri = explainKeyUri(trusted.jwksUri, isLocal)
    return [
      ...(own.includes(trusted.issuer)
        ? [{ pointer: `${at}/issuer`, message: "must be an outside issuer, not the tenant's own" }]
        : []),
      ...(isRepeated ? [{ pointer: at, message: 'this issuer and audience are in the list already' }] : []),
      ...(uri === undefined ? [] : [{ pointer: `${at}/jwksUri`, message: uri }]),
    ]
  })
}

/** Why keys are not fetched from a URI, or undefined when they are; what its host's name leads to is looked at when they are fetched. */
export function explainKeyUri(text: string, isLocal: boolean): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !['https:', 'http:'].includes(url.protocol)) return 'must be an https URL'
  if (url.username !== '' || url.password !== '') return 'must hold no user name or password'
  if (isLoopbackHost(url.hostname)) return isLocal ? undefined : 'must not lead to a loopback address'
  if (url.protocol !== 'https:') return 'must be an https URL'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return ipaddr.isValid(host) && !isPublicAddress(host) ? 'must lead to a public address' : undefined
}
