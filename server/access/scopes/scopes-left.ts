import { RecentlyUsed } from '../../kit/recently-used.ts'
import { intersectScopes } from './intersection.ts'

/** Worked out once for each pair. */
const known = new RecentlyUsed<readonly string[]>(1000)

/** What is left of a token's scopes: those that its holder is still registered for. */
export function scopesLeft(asked: string, registered: readonly string[]): readonly string[] {
  const pair = `${asked}\n${registered.join(' ')}`
  const before = known.get(pair)
  if (before) return before
  const scopes = intersectScopes(asked.split(' '), registered)
  known.set(pair, scopes)
  return scopes
}
