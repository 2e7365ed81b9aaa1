/** The most ids that are remembered, the oldest forgotten first. */
const most = 10_000

/** Tells of each id whether it has come before. */
export function rememberIds(): (id: string) => boolean {
  const seen = new Set<string>()
  return (id) => {
    if (seen.has(id)) return true
    seen.add(id)
    if (seen.size > most) seen.delete(seen.values().next().value!)
    return false
  }
}
