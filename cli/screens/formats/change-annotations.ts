import type { ReportItem } from '../../tasks/catalog-report.ts'
import type { Comparison } from '../../tasks/compare.ts'
import { changeText } from '../change-value.ts'
import { guardWordsIn } from '../guard-words.ts'
import { touchedWords } from '../touched.ts'
import { withinBudget } from './annotation-budget.ts'
import { type Annotation, workflowCommand } from './workflow-command.ts'

const longestValue = 60
/**
 * What an import would change as workflow commands within GitHub's budget, each at the line of the catalog that causes
 * it. A warning is a change that touches live entitlements, or one that a protected environment wants to be told of (of
 * a price, of what was sold, the end of something sold). Everything else is a notice; updates come before what is new.
 */
export function changeCommands(
  comparison: Comparison,
  pathOf: (file: string) => string | undefined,
  rest: string,
): string[] {
  const { report, placeOf, before } = comparison
  const cautions = report.warnings.map(
    ({ key, path, message }): Annotation => ({
      level: 'warning',
      title: key,
      message,
      place: () => placeOf(key, path),
    }),
  )
  const changing = report.items
    .filter(({ action }) => action !== 'unchanged')
    .toSorted((a, b) => touchedBy(b) - touchedBy(a) || rankOf(a) - rankOf(b))
  const guardedIn = guardWordsIn(report)
  const annotate = (items: readonly ReportItem[]) =>
    items.flatMap((item) => itemAnnotations(item, guardedIn(item), placeOf, before.name))
  const [touching, others] = [
    changing.filter((item) => touchedBy(item) > 0),
    changing.filter((item) => touchedBy(item) === 0),
  ]
  const likenesses = [({ message }: Annotation) => message, ({ title }: Annotation) => title]
  return withinBudget([...annotate(touching), ...cautions, ...annotate(others)], likenesses, rest).map((each) =>
    workflowCommand(each, pathOf),
  )
}

function itemAnnotations(
  item: ReportItem,
  guarded: ReadonlyMap<string, string>,
  placeOf: Comparison['placeOf'],
  target: string,
): Annotation[] {
  const { key, action, changes = [] } = item
  const count = touchedBy(item)
  const touching = count === 0 ? '' : `; touches ${touchedWords({ count, isExact: true })}`
  if (action === 'create' || changes.length === 0) {
    const level = count > 0 ? 'warning' : 'notice'
    return [
      {
        level,
        title: `${action} ${key}`,
        message: `Importing would ${action} it in ${target}${touching}`,
        place: () => placeOf(key),
      },
    ]
  }
  return changes.map((change) => {
    const guard = guarded.get(change.path)
    return {
      level: count > 0 || guard !== undefined ? 'warning' : 'notice',
      title: `${action} ${key}`,
      message: `${change.path.replace(/^\//, '')}: ${changeText(change, longestValue)}${guard === undefined ? '' : ` (${guard})`}${touching}`,
      place: () => placeOf(key, change.path),
    }
  })
}

const touchedBy = ({ affects }: ReportItem) => affects?.entitlements ?? 0
const rankOf = ({ action }: ReportItem) => (action === 'update' ? 0 : 1)
