import { isFoldedAmong } from '../../kit/folded-texts.ts'

/** Whose personal data it is, as far as users and addresses tell: what everything else of a person is found by. */
export interface KnownPerson {
  tenantId: string
  /** The user that is meant first, then users of the same addresses who were deleted before. */
  userIds: readonly string[]
  /** The addresses that are or were known to be theirs, without regard to case; none of a user whose address is not verified. */
  addresses: readonly string[]
  /** The user's address where it is not known to be theirs: nothing is found by it but where it stands. */
  unverified: readonly string[]
}

/** A person, with what was issued to them and activated by them. */
export interface Person extends KnownPerson {
  /** Activation codes. */
  codeIds: readonly string[]
  /** License sessions. */
  sessionIds: readonly string[]
}

/** What a room keeps of a person, by what it is. */
export type PersonalData<Name extends string> = Record<Name, Record<string, unknown>[]>

/** Whether a column has an address of a person, letter case aside. */
export const hasAddress = (column: string, { addresses }: KnownPerson) => isFoldedAmong(column, addresses)

/** The same, the user's address counting that is not known to be theirs, too. */
export const hasAnyAddress = (column: string, { addresses, unverified }: KnownPerson) =>
  isFoldedAmong(column, [...addresses, ...unverified])

/** A row that no operation answers, as a person is shown it: names and instants as on the wire. */
export const toPersonalRecord = (row: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(row).map(([column, value]) => [wireName(column), wireValue(column, value)]))

const wireName = (column: string) => column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

const wireValue = (column: string, value: unknown): unknown =>
  /_at$/.test(column) && value !== null ? new Date(Number(value)).toISOString() : value
