import type { DescribedField } from '../../catalog-schema/fields.ts'
import type { Paint } from '../colour.ts'
import { wrapWords } from '../fitting.ts'

/** A kind or field in full: what it means, what it looks like, and the fields inside it, a line for each. */
export function explanationLines(field: DescribedField, { colours, width }: { colours: Paint; width: number }) {
  const facts: [string, string][] = [
    ['Shape', field.shape],
    ['Required', field.isRequired ? 'yes' : 'no'],
    ...(isTold(field.default) ? [['Default', String(field.default)] as [string, string]] : []),
    ...field.examples.map((example): [string, string] => ['Example', JSON.stringify(example)]),
  ]
  const isKind = !field.name.includes('.')
  return [
    colours.bold(field.name),
    ...wrapWords(field.description, width, '  '),
    ...(isKind ? [] : ['', ...facts.map(([name, value]) => `  ${colours.dim(name.padEnd(8))}  ${value}`)]),
    ...(field.fields.length > 0 ? ['', ...fieldLines(field, colours, width)] : []),
  ]
}

/** Names with what they mean, cut to one line each; a `*` marks what is required. */
export function fieldLines({ fields }: Pick<DescribedField, 'fields'>, colours: Paint, width: number): string[] {
  const label = ({ name, hasFields, isRequired }: DescribedField['fields'][number]) =>
    `${name}${hasFields ? '.…' : ''}${isRequired ? ' *' : ''}`
  const column = Math.max(...fields.map((field) => label(field).length))
  const lines = fields.map((field) => {
    const room = width - column - 4
    const text = room < 16 ? '' : shorten(firstSentence(field.description), room)
    return `  ${colours.cyan(label(field).padEnd(column))}  ${text}`.trimEnd()
  })
  return fields.some(({ isRequired }) => isRequired) ? [...lines, '', colours.dim('  * required')] : lines
}

const isTold = (preset: unknown) => ['string', 'number', 'boolean'].includes(typeof preset)
const firstSentence = (text: string) => text.split(/(?<=\.) /)[0]!.replace(/\.$/, '')
const shorten = (text: string, room: number) => (text.length <= room ? text : `${text.slice(0, room - 1).trimEnd()}…`)
