import type { UserCaller } from '../../kit/context.ts'
import type { Components } from './component-matching.ts'

/** What is asked of a session, or for one. */
export type Asked = ActivationAsked | SessionAsked

/** A device that wants a seat. */
export interface ActivationAsked {
  deed: 'activate'
  /** What the code that was typed may be kept under, the likelier first; null without a code. */
  codeKeys: readonly string[] | null
  /** Whose seat is wanted without a code. */
  entitlementId: string | null
  /** Set where the device is known within something other than a code or a user. */
  holder: string | null
  user: UserCaller | null
  ip: string
  fingerprint: string
  components: Components | null
  instanceId: string
  productCode: string | null
  applicationScope: string | null
  /** JSON: what the application said of itself. */
  applicationInfo: string | null
  deviceName: string | null
  email: string | null
  isOffline: boolean
}

/** An application that acts with its license token. */
export interface SessionAsked {
  deed: 'renew' | 'check-in' | 'release'
  sessionId: string
  /** As its token has it. */
  entitlementId: string
  /** When it was sent. */
  fingerprint: string | null
}
