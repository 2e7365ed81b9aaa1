import type { ReadContext } from '../../kit/context.ts'
import { RecentlyUsed } from '../../kit/recently-used.ts'
import type { Sealer } from '../../kit/sealing.ts'
import { crockfordForm, lookalikeForm, plainForm } from './normal-forms.ts'
import { codeTextField } from './store.ts'

export { type CodeRow, findCodes, readCodes } from './store.ts'

/** The keys under which a code may be kept, the likelier first: as it was typed, as one that looks like it, then as one of the CrockfordBase32 alphabet. */
export function lookupKeysOf(sealer: Sealer, tenantId: string, text: string): readonly string[] {
  const asked = `${tenantId} ${text}`
  const before = known.get(asked)
  if (before) return before
  const keys = [
    plainKeyOf(sealer, tenantId, text),
    lookalikeKeyOf(sealer, tenantId, text),
    crockfordKeyOf(sealer, tenantId, text),
  ]
  known.set(asked, keys)
  return keys
}

/** The code itself as a field that lists are filtered by; `column` has its id where the list is not of codes. */
export const codeTextFieldOf = ({ sealer, tenant }: Pick<ReadContext, 'sealer' | 'tenant'>, column?: string) =>
  codeTextField(tenant.id, (text) => lookupKeysOf(sealer, tenant.id, text), column)

/** Worked out once for each code that is asked again and again; a tenant's database has one master key. */
const known = new RecentlyUsed<readonly string[]>(1000)

/** The key that a code of any other alphabet is kept under. */
export const plainKeyOf = (sealer: Sealer, tenantId: string, text: string) =>
  sealer.hash(plainForm(text), `activation-code/${tenantId}/plain`)

/** The key that a code is kept under which was given with other characters where CrockfordBase32 is the alphabet. */
export const lookalikeKeyOf = (sealer: Sealer, tenantId: string, text: string) =>
  sealer.hash(lookalikeForm(text), `activation-code/${tenantId}/lookalike`)

/** The key that a code of the CrockfordBase32 alphabet is kept under. */
export const crockfordKeyOf = (sealer: Sealer, tenantId: string, text: string) =>
  sealer.hash(crockfordForm(text), `activation-code/${tenantId}/crockford`)
