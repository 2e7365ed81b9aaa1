import { prefixOf } from '../../catalog-schema/order.ts'
import { foldTagName } from '../../catalog-schema/tag-names.ts'
import { nearest } from '../nearest.ts'
import { Problem } from '../problems.ts'

/** A pattern on key strings: `kind:glob`, the kind a word of key strings or `*`. */
export type Pattern = string

/** What `--only` and `--exclude` say. */
export interface Patterns {
  only: readonly Pattern[]
  exclude: readonly Pattern[]
}

const kindWords = Object.values(prefixOf) as string[]
/** The words of key strings by the kinds of snapshots and comparisons (`planSet`), whatever their letter case. */
const wordOfKind = new Map(Object.entries(prefixOf).map(([kind, word]) => [kind.toLowerCase(), word as string]))

/**
 * The patterns of the two flags, once each, in the order of their code units; a kind as comparisons name it (`planSet`)
 * is read as its word in key strings. Raises cli.usage for one that is none.
 */
export function readPatterns({ only = [], exclude = [] }: { only?: string[]; exclude?: string[] }): Patterns {
  return { only: checked('--only', only), exclude: checked('--exclude', exclude) }
}

function checked(flag: string, patterns: readonly string[]): Pattern[] {
  const read = patterns.map((pattern) => {
    const colon = pattern.indexOf(':')
    const word = (colon === -1 ? pattern : pattern.slice(0, colon)).toLowerCase()
    if (colon > 0 && pattern.length > colon + 1) {
      if (word === '*' || kindWords.includes(word)) return pattern
      const wordOfKey = wordOfKind.get(word)
      if (wordOfKey !== undefined) return `${wordOfKey}${pattern.slice(colon)}`
    }
    const [meant] = nearest(word, kindWords)
    const rest = colon === -1 ? '*' : pattern.slice(colon + 1) || '*'
    throw new Problem('cli.usage', `${flag} takes kind:glob, not "${pattern}".`, {
      hint:
        colon !== -1 && meant !== undefined
          ? `${meant}:${rest}`
          : `one of ${kindWords.join(', ')} or *, as in feature:ACME-CAD@2.0/*`,
    })
  })
  return [...new Set(read)].sort()
}

/**
 * Whether a key string is one that a pattern means: `*` is any run of characters, `?` one. Letter case counts, but in the
 * names of tags and in the word of the kind.
 */
export function matches(pattern: Pattern, key: string): boolean {
  const [kind, glob] = halves(pattern)
  const [kindOfKey, name] = halves(key)
  if (kind !== '*' && kind.toLowerCase() !== kindOfKey) return false
  return kindOfKey === prefixOf.tag
    ? matchesGlob([...foldTagName(glob)], [...foldTagName(name)])
    : matchesGlob([...glob], [...name])
}

/** Whether it would mean the key if letter case never counted. */
const nearlyMatches = (pattern: Pattern, key: string) => matches(foldTagName(pattern), foldTagName(key))

const halves = (text: string): [string, string] => {
  const colon = text.indexOf(':')
  return [text.slice(0, colon), text.slice(colon + 1)]
}

/** Steps back to the last star only, so that no pattern takes longer than its length times the name's. */
function matchesGlob(glob: readonly string[], name: readonly string[]): boolean {
  let [at, from] = [0, 0]
  let star: { at: number; from: number } | undefined
  while (from < name.length) {
    if (glob[at] === '*') star = { at: at++, from }
    else if (at < glob.length && (glob[at] === '?' || glob[at] === name[from])) {
      at++
      from++
    } else if (star) {
      at = star.at + 1
      from = ++star.from
    } else return false
  }
  while (glob[at] === '*') at++
  return at === glob.length
}

/** Whether the patterns mean a key: one of `only` does, or there is none, and none of `exclude` does. */
export const isMeant = ({ only, exclude }: Patterns, key: string) =>
  (only.length === 0 || only.some((pattern) => matches(pattern, key))) && !isExcluded({ exclude }, key)

export const isExcluded = ({ exclude }: Pick<Patterns, 'exclude'>, key: string) =>
  exclude.some((pattern) => matches(pattern, key))

/** Refuses patterns that mean no key at all (cli.usage), naming the keys that come nearest. */
export function refuseUnmatched(patterns: Patterns, keys: readonly string[]): void {
  for (const [flag, given] of [
    ['--only', patterns.only],
    ['--exclude', patterns.exclude],
  ] as const)
    for (const pattern of given) {
      if (keys.some((key) => matches(pattern, key))) continue
      const alike = keys.filter((key) => nearlyMatches(pattern, key)).slice(0, 3)
      const near = alike.length > 0 ? alike : nearest(pattern, keys)
      const sameKind = keys.filter(
        (key) => pattern.startsWith('*:') || key.split(':', 1)[0] === pattern.split(':', 1)[0],
      )
      throw new Problem('cli.usage', `${flag} ${pattern} is nothing in this catalog.`, {
        hint:
          near.length > 0 ? near.join(' or ') : sameKind.slice(0, 3).join(', ') || 'licet catalog diff shows the keys',
      })
    }
}
