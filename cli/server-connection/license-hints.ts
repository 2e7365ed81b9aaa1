const hints: Record<string, string> = {
  'license.not_found': 'check the activation code, and that the environment is the tenant that it is of',
  'license.entitlement_not_active': 'the entitlement must be active: it is a draft, suspended or cancelled',
  'license.not_yet_valid': 'wait until the entitlement begins, or have its beginning changed',
  'license.expired':
    'have the entitlement renewed, or its trial begun again (licet entitlement restart-trial), then try again',
  'license.seats_exhausted':
    'release a device that needs its seat no more (licet license release there, or licet entitlement release), then try again',
  'license.authentication_required': 'this licence asks for a signed-in user: activate it in the application',
  'license.device_not_allowed': 'have the device admitted or unblocked, or activate another one',
  'license.network_not_allowed': 'activate from a network that the entitlement admits',
  'license.product_code_required': '--product-code CODE, one of the products of the entitlement',
  'license.scope_not_allowed': '--application-scope SCOPE, one that the entitlement has',
  'license.code_used_up': 'release a device that was activated by this code, or use another code',
  'license.session_not_valid':
    'activate again (licet license activate); a device that was blocked is unblocked first (licet entitlement unblock)',
}

/** What to try when a server refuses a licence for this reason; undefined for any other. */
export const licenseHint = (codeName: string | undefined): string | undefined =>
  codeName !== undefined && Object.hasOwn(hints, codeName) ? hints[codeName] : undefined
