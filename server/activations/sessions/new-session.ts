import type { CodeRow } from '../../entitlements/activation-codes/lookup.ts'
import { newId } from '../../kit/ids.ts'
import type { ActivationAsked } from './asking.ts'
import { formerWith } from './former-fingerprints.ts'
import type { Granted } from './granted.ts'
import type { SessionRow } from './licensed.ts'

/** What a session keeps for good from its first activation; the rest is what each activation says and each lease makes of it. */
export const newSession = (
  { row }: Granted,
  { holder, instanceId, codeId, now }: { holder: string; instanceId: string; codeId: string | null; now: number },
) => ({
  id: newId(),
  tenant_id: row.tenant_id,
  entitlement_id: row.id,
  holder,
  activation_code_id: codeId,
  instance_id: instanceId,
  activated_at: now,
  revoked_at: null,
  revoke_reason: null,
  released_at: null,
  released_by: null,
})

/**
 * What a device says of itself when it activates; what it leaves out stays as it was said before (`session`). A scope that it
 * leaves out is the entitlement's default of now, where there is one: what was allowed before may not be any more.
 */
export const saidBy = (
  asked: ActivationAsked,
  { license }: Granted,
  code: CodeRow | undefined,
  session: SessionRow | undefined,
) => ({
  fingerprint: asked.fingerprint,
  former_fingerprints: formerWith(asked.fingerprint, session),
  components: asked.components ? JSON.stringify(asked.components) : (session?.components ?? null),
  application_info: asked.applicationInfo ?? session?.application_info ?? null,
  application_scope:
    asked.applicationScope ?? license.allowedApplicationScopes[0] ?? session?.application_scope ?? null,
  product_code: asked.productCode ?? session?.product_code ?? null,
  device_name: asked.deviceName ?? session?.device_name ?? null,
  user_id: asked.user?.userId ?? session?.user_id ?? null,
  email: asked.email ?? knownEmail(asked, session) ?? asked.user?.email ?? code?.email ?? null,
  is_offline: asked.isOffline ? 1 : (session?.is_offline ?? 0),
})

/** The address that the session has, unless the device passes to a user: it may be somebody else's. */
const knownEmail = ({ user }: ActivationAsked, session: SessionRow | undefined) =>
  user && user.userId !== session?.user_id ? undefined : session?.email
