/**
 * Where a word ends inside a name: before a capital after a small letter or digit (`github|Actions`, `256|Bit`), and
 * before the last capital of a run that goes on in small letters (`LFS|Storage`), but not before a plural s (`APIs`).
 */
const wordBreak = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})(?!\p{Lu}s(?!\p{Ll}))/u

/** The words of a run of letters, digits and marks; one without small letters is one word (`B2B`). */
const breakRun = (run: string) => (/\p{Ll}/u.test(run) ? run.split(wordBreak) : [run])

/** A name in upper snake case: `githubActions` is `GITHUB_ACTIONS`; empty when it has neither letter nor digit. */
export const codeOf = (name: string): string =>
  (name.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).flatMap(breakRun).join('_').toUpperCase()

/** The metric name of a feature code: the same words in lower kebab case, and never the code itself. */
export function metricNameOf(featureCode: string): string {
  const name = featureCode.replaceAll('_', '-').toLowerCase()
  return name === featureCode ? `${name}-usage` : name
}

/** A name as a person reads it: `auditLogAPI` is `Audit log API`; a name of several words stays as it stands. */
export function readableName(name: string): string {
  if (/\s/.test(name.trim())) return name.trim()
  const keepsCase = (word: string) => /\p{Lu}[\p{Lu}\p{N}]|\p{N}\p{Lu}/u.test(word)
  const words = name.split('_').filter(Boolean).flatMap(breakRun)
  const text = words.map((word) => (keepsCase(word) ? word : word.toLowerCase())).join(' ')
  const first = String.fromCodePoint(text.codePointAt(0) ?? 0x20)
  return text === '' ? name : first.toUpperCase() + text.slice(first.length)
}

/** Gives every name a code of its own: what is taken gets the suffix, then `_2`, `_3` and so on. */
export function claimCodes() {
  const takenBy = new Map<string, string>()
  return {
    claim(name: string, suffix = ''): { code: string; metBy: string | undefined } {
      const wanted = codeOf(name) || 'UNNAMED'
      const metBy = takenBy.get(wanted)
      let code = metBy === undefined ? wanted : wanted + suffix
      for (let count = 2; takenBy.has(code); count++) code = `${wanted}${suffix}_${count}`
      takenBy.set(code, name)
      return { code, metBy }
    },
  }
}
