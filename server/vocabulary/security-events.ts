/** What is logged for those who watch over the tenants' security: who was refused, and which keys and secrets were replaced. */
const securityEvents = [
  'access_denied',
  'token_refused',
  'rate_limited',
  'endpoint_refused',
  'signing_key_rotated',
  'client_secret_rotated',
  'webhook_secret_rotated',
] as const
export type SecurityEvent = (typeof securityEvents)[number]
