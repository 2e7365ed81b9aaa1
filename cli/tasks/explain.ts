import { type DescribedField, fieldNames, findField, findKind, kindWords } from '../../catalog-schema/fields.ts'
import { nearest } from '../nearest.ts'
import { Problem } from '../problems.ts'

/** What the schema says of a kind, or of a field (`plan-set.plans.monthlyPrice`). Raises cli.usage with the names that may be meant. */
export function explainName(name: string): DescribedField {
  const [word = '', ...path] = name.split('.')
  const kind = findKind(word)
  if (kind === undefined) {
    const meant = nearestNames(name)
    const hint = meant.length > 0 ? meant.join(' or ') : `one of ${kindWords.join(', ')}`
    throw new Problem('cli.usage', `There is no kind "${word}".`, { hint })
  }
  const found = findField(kind, path)
  if (found !== undefined) return found
  const known = path.findIndex((_, at) => findField(kind, path.slice(0, at + 1)) === undefined)
  const owner = findField(kind, path.slice(0, known))!
  const meant = nearest(path[known]!.toLowerCase(), lowerCased(owner.fields.map((field) => field.name)).keys())
  const siblings = lowerCased(owner.fields.map((field) => field.name))
  const near = meant.map((field) => `${owner.name}.${siblings.get(field)}`)
  const further = nearestNames(path[known]!, `${owner.name.split('.')[0]}.`)
  const hint = [...new Set([...near, ...further])].slice(0, 3).join(' or ')
  throw new Problem('cli.usage', `${owner.name} has no field "${path[known]}".`, {
    hint: hint || `licet catalog explain ${owner.name}`,
  })
}

/** Kinds like a word, and fields anywhere (below a name) whose own name is like its last part. */
function nearestNames(name: string, below = ''): string[] {
  const last = name.split('.').at(-1)!.toLowerCase()
  const fields = fieldNames().filter((field) => field.includes('.') && field.startsWith(below))
  const byLast = Map.groupBy(fields, (field) => field.split('.').at(-1)!.toLowerCase())
  const kinds = below === '' ? nearest(name.split('.')[0]!.toLowerCase(), kindWords) : []
  const likely = nearest(last, byLast.keys()).flatMap((field) => byLast.get(field)!.slice(0, 3))
  return [...kinds, ...likely].slice(0, 3)
}

const lowerCased = (names: readonly string[]) => new Map(names.map((name) => [name.toLowerCase(), name]))
