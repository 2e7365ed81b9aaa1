import { paint } from '../../colour.ts'
import { counted } from '../../counting.ts'
import { countFindings, type ShownFinding } from '../../findings.ts'
import { findingLines } from '../findings.ts'
import { mostCharacters } from './comparison-markdown.ts'
import { codeBlock, codeSpan, hiddenMarker } from './markdown-text.ts'

/** Why there is nothing to show: the findings of a catalog that could not be read, or that the other side would refuse. */
export interface Refusal {
  /** The sides as people call them. */
  before: string
  after: string
  /** Whether both were read. */
  isCompared: boolean
  findings: readonly ShownFinding[]
}

/** A refusal as GitHub Markdown, under the same hidden marker as the comparison that it stands in for. */
export function refusalMarkdown(refusal: Refusal, target: string): string {
  const { before, after, isCompared, findings } = refusal
  const what = isCompared
    ? `${codeSpan(before)} would refuse ${codeSpan(after)}`
    : `${codeSpan(after)} and ${codeSpan(before)} cannot be compared`
  const head = `${hiddenMarker(target)}\n**${what}**: ${countFindings(findings)}.`
  let left = mostCharacters - head.length - wrapping
  const lines: string[] = []
  let shown = 0
  for (const finding of findings) {
    const written = findingLines(finding, unpainted).map((line) => line.slice(0, longestLine))
    left -= written.reduce((sum, line) => sum + line.length + 1, 0)
    if (left < 0) break
    lines.push(...written)
    shown++
  }
  const more =
    shown === findings.length ? '' : `\n\n… and ${counted(findings.length - shown, 'more finding')} not shown here.`
  return `${head}\n\n${codeBlock(lines)}${more}\n`
}

const longestLine = 1000
/** The characters that the block's fence (longer than any run of backticks in a line) and the last sentence need, at most. */
const wrapping = 2 * longestLine + 200
const unpainted = paint({ isTTY: false }, { NO_COLOR: '1' })
