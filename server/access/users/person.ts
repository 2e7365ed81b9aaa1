import type { Readable } from '../../database/database.ts'
import { foldFunction } from '../../kit/filter/folding.ts'

/** Whose personal data it is: a user, by the id, and by the address where something names nobody by id. */
export interface Person {
  tenantId: string
  userId: string
  /** The address without regard to case. */
  foldedEmail: string
  /** Whether the address is known to be theirs: what is found by it alone is shown to nobody else. */
  isEmailVerified: boolean
}

/** What a room keeps of a person, by what it is. */
export type PersonalData<Name extends string> = Record<Name, Record<string, unknown>[]>

/** The person behind a user, a deleted one too; undefined when there is none, or none any more. */
export async function findPerson(read: Readable, tenantId: string, userId: string): Promise<Person | undefined> {
  const row = await read
    .selectFrom('users')
    .select(['folded_email', 'email_verified'])
    .where('id', '=', userId)
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst()
  return row && { tenantId, userId, foldedEmail: row.folded_email, isEmailVerified: row.email_verified === 1 }
}

/** The SQL function by which a text is compared with the address: the database's own, and its indexes, where that does for it. */
export const foldOf = ({ foldedEmail }: Person): string => (/^[!-~]*$/.test(foldedEmail) ? 'lower' : foldFunction)

/** Never in what a person is shown: it is the installation's own, or opens a door. */
const withheld = /^(tenant_id|sealed_\w+|lookup_key|token_hash|folded_email|is_deleted|updated_by|revision_number)$/

/** A row as a person is shown it: names as on the wire, instants as RFC 3339, without what only the installation needs. */
export const toPersonalRecord = (row: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row)
      .filter(([column]) => !withheld.test(column))
      .map(([column, value]) => [wireName(column), wireValue(column, value)]),
  )

const wireName = (column: string) => column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

function wireValue(column: string, value: unknown): unknown {
  if (/_(at|until)$|^not_(before|after)$/.test(column) && value !== null) return new Date(Number(value)).toISOString()
  return /^is_|^email_verified$/.test(column) ? value === 1 : value
}
