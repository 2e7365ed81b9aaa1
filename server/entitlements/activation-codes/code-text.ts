import { RecentlyUsed } from '../../kit/recently-used.ts'
import type { Sealer } from '../../kit/sealing.ts'
import type { CodeRow } from './store.ts'

const opened = new RecentlyUsed<string>(10_000)

const placeOf = ({ tenant_id, id }: Pick<CodeRow, 'tenant_id' | 'id'>) => `activation-code/${tenant_id}/${id}`

/** The code as it is shown. */
export function codeTextOf(sealer: Sealer, row: Pick<CodeRow, 'tenant_id' | 'id' | 'sealed_code'>): string {
  const known = `${placeOf(row)} ${row.sealed_code}`
  const text = opened.get(known) ?? sealer.open(row.sealed_code, placeOf(row))
  opened.set(known, text)
  return text
}

/** A code as it is kept: sealed to its tenant and its row. */
export const sealCode = (sealer: Sealer, row: Pick<CodeRow, 'tenant_id' | 'id'>, text: string) =>
  sealer.seal(text, placeOf(row))
