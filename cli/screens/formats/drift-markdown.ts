import { counted } from '../../counting.ts'
import type { Drift, DriftedItem } from '../../tasks/drift.ts'
import { changeText } from '../change-value.ts'
import { authorWords, driftSentence, filesWords } from '../drift.ts'
import { mostCharacters } from './comparison-markdown.ts'
import { codeSpan, folded, hiddenMarker } from './markdown-text.ts'

const mostFields = 50
const longestValue = 60

/**
 * Drift as GitHub Markdown for a job summary, an issue or a comment: a hidden marker that names the target, one
 * sentence, and every item folded below it as far as it fits; what does not fit is counted.
 */
export function driftMarkdown(drift: Drift, target: string): string {
  const { environment, items } = drift
  const sentence = driftSentence({ ...drift, environment: { ...environment, name: 'it' } })
  const head = `${hiddenMarker(target, 'drift')}\n**${codeSpan(environment.name)}**: ${escaped(sentence)}`
  if (items.length === 0) return `${head}\n`
  const room = mostCharacters - head.length - 300
  const shown: string[] = []
  let length = 0
  for (const item of items) {
    const text = itemText(item)
    length += text.length + 1
    if (length > room) break
    shown.push(text)
  }
  const hidden = items.length - shown.length
  const more = hidden === 0 ? [] : ['', `… and ${counted(hidden, 'more item')} not shown here.`]
  return `${head}\n\n${folded(counted(items.length, 'item'), [...shown, ...more].join('\n'))}\n`
}

function itemText(item: DriftedItem): string {
  const { key, action, changes = [], files } = item
  const author = authorWords(item)
  const said = files === undefined ? [] : [filesWords[files]]
  const fields = changes.slice(0, mostFields).map((change) => {
    const note = change.files === undefined ? '' : `: ${filesWords[change.files]}`
    return `  - ${codeSpan(change.path.replace(/^\//, ''))}: ${codeSpan(changeText(change, longestValue))}${note}`
  })
  const hidden = changes.length - fields.length
  const line = [`- ${action}d ${codeSpan(key)}`, ...(author === '' ? [] : [codeSpan(author)]), ...said].join(' · ')
  return [line, ...fields, ...(hidden > 0 ? [`  - … and ${counted(hidden, 'more field')}`] : [])].join('\n')
}

/** A sentence that holds a name from outside, with what Markdown or HTML would act on escaped. */
const escaped = (text: string) => text.replace(/[\\`*_[\]<>#@|~&]/g, (character) => `\\${character}`)
