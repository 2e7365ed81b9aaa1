import type { User } from '../tasks/tenant-records.ts'
import { instantWords } from '../time-words.ts'
import type { Canvas } from './canvas.ts'
import { factLines } from './license.ts'
import { stackedTable } from './stacking.ts'

/** Users, each with what tells one from another. */
export function userListLines(users: readonly User[], canvas: Canvas): string[] {
  const rows = users.map((user) => ({
    cells: [user.id, user.email, user.displayName, stateWords(user), user.externalReference],
    head: `${user.id}  ${user.email}`,
    below: [user.displayName, stateWords(user), user.externalReference],
  }))
  return stackedTable(['USER', 'EMAIL', 'NAME', 'STATE', 'REFERENCE'], rows, canvas)
}

/** One user. `now` in milliseconds. */
export const userLines = (user: User, now: number): string[] =>
  factLines([
    ['user', user.id],
    ['email', user.email],
    ['name', user.displayName],
    ['state', stateWords(user)],
    ['reference', user.externalReference],
    ['signs in at', user.issuer],
    ['made', instantWords(Date.parse(user.createdAt), now)],
  ])

const stateWords = ({ emailVerified, isDisabled }: User) =>
  isDisabled ? 'disabled' : emailVerified ? 'verified' : 'not verified'
