/** What an audit entry tells of a change of a user, or of the making of one. */
interface UserEntry {
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
}

/**
 * The addresses that a user had while they were known to be theirs, as the audit entries of the user tell, first to last. A
 * user whose making is not among them confirmed a registration before that was told, and so the address.
 */
export function verifiedAddresses(entries: readonly UserEntry[]): string[] {
  const found: string[] = []
  let email: unknown
  let isVerified = true
  const note = (fields: UserEntry['after']) => {
    if (!fields) return
    email = fieldOf(fields, 'email') ?? email
    isVerified = (fieldOf(fields, 'emailVerified') ?? isVerified) === true
    if (isVerified && typeof email === 'string') found.push(email)
  }
  for (const { before, after } of entries) {
    note(before)
    note(after)
  }
  return [...new Set(found)]
}

/** A field of a whole record, or of what changed of one, which is named by its JSON pointer (RFC 6901). */
const fieldOf = (fields: Record<string, unknown>, name: string) => fields[`/${name}`] ?? fields[name]
