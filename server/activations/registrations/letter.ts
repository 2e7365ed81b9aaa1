import type { Letter } from '../../kit/mail.ts'

/** The letter that brings the token; it says nothing that whoever registered has written. */
export const confirmationLetter = (to: string, tenantName: string, token: string, expiresAt: string): Letter => ({
  to,
  subject: `${tenantName}: confirm your e-mail address`,
  text: `Somebody, probably you, has registered at ${tenantName} with this e-mail address.

To confirm it, enter this token where you registered, before ${expiresAt}:

${token}

If it was not you, there is nothing to do: without the token nothing happens.
`,
})
