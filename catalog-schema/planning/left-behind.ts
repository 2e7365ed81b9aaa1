import { type ProductName, productText } from '../keys.ts'
import type { CatalogModel } from '../model.ts'
import type { Kind } from '../order.ts'
import { checkItem } from '../rules/items.ts'
import { type PlanError, planError } from './import-plan.ts'
import type { MergedItem } from './merging.ts'

/** The kinds that give features values. */
const valuing: Kind[] = ['planSet', 'addOn', 'entitlementOffer']

/** What an import would break without touching it: items that stay as they are while a feature they give a value loses that option. */
export function judgeLeftBehind(
  items: readonly MergedItem[],
  environment: CatalogModel,
  result: CatalogModel,
): PlanError[] {
  if (!items.some((item) => changesOptions(item, environment))) return []
  const changing = new Set(items.filter(({ action }) => action !== 'unchanged').map(({ key }) => key))
  return valuing.flatMap((kind) =>
    [...environment.entries(kind)]
      .filter(({ key }) => !changing.has(key))
      .flatMap(({ key, item }) => {
        const { breaches } = checkItem(kind, item, result)
        if (breaches.length === 0) return []
        const known = new Set(checkItem(kind, item, environment).breaches.map(({ path }) => path))
        return breaches
          .filter(({ path }) => !known.has(path))
          .map(({ path, message }) =>
            planError(
              { kind, key, index: undefined },
              'catalog.in_use',
              path,
              `it stays as it is, but the feature changes: ${message}`,
            ),
          )
      }),
  )
}

/** Whether an import changes which values some feature of the environment can have: it changes one, or puts a catalog entry before an attached one. */
function changesOptions({ kind, action, after, changes }: MergedItem, environment: CatalogModel): boolean {
  if (kind === 'product') return changes.some(({ path }) => path.startsWith('/features/'))
  if (kind !== 'feature') return false
  if (action === 'create')
    return environment.featureOf(productText(after as unknown as ProductName), String(after.featureCode)) !== undefined
  return changes.some(({ path }) => path === '/featureType' || path.startsWith('/enumOptions'))
}
