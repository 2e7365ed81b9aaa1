import { wantsJson } from './global-switches.ts'
import { Problem } from './problems.ts'

/** What `--format` says in every command that has it. */
const formatSummaries = {
  pretty: 'for people',
  json: 'the one document of --json',
  markdown: 'a comment for a pull request',
  github: 'annotations of GitHub Actions, at the lines of the files',
  sarif: 'a SARIF 2.1.0 log for code scanning',
} as const
export type OutputFormat = keyof typeof formatSummaries

/** The flag's help for the formats of a command; `--json` beside another of them is wrong usage. */
export const formatSummary = (formats: readonly OutputFormat[]) =>
  `${formats.map((format) => `${format} (${formatSummaries[format]})`).join(', ')}; --json goes with json only.`

/**
 * Asks for the one document where `--format`, or else LICET_FORMAT, says json: of a command that takes it, whose flags cannot be
 * read, so that what is wrong with them is told in one.
 */
export function heedFormat(argv: readonly string[]): void {
  const end = argv.indexOf('--')
  const words = end === -1 ? argv : argv.slice(0, end)
  const at = words.findIndex((word) => /^--format(=|$)/.test(word))
  const format = at === -1 ? process.env.LICET_FORMAT : (words[at]!.split('=')[1] ?? words[at + 1])
  if (format === 'json') process.env.LICET_JSON = '1'
}

/**
 * The format that a command writes. `json` and `--json` (or LICET_JSON) are the same; raises cli.usage when another
 * format is asked for beside it, since stdout can only be one of the two.
 */
export function chooseFormat(format: string, isAsked: boolean): string {
  if (format === 'json') process.env.LICET_JSON = '1'
  if (!wantsJson()) return format
  if (isAsked && format !== 'json') {
    throw new Problem('cli.usage', `Name either --json or --format ${format}: stdout is one document.`)
  }
  return 'json'
}
