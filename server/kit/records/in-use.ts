import { Problem } from '../problem.ts'

const named = 5

/** Refuses a change while others use the record, naming at most five of them by key. */
export function refuseInUse(what: string, users: readonly string[]): void {
  if (users.length === 0) return
  const keys = [...new Set(users)].sort()
  const more = keys.length > named ? ` and ${keys.length - named} more` : ''
  throw new Problem('catalog.in_use', `${what} is used by ${keys.slice(0, named).join(', ')}${more}.`)
}
