import { mentionsOf } from '../../../catalog-schema/mentions.ts'
import type { CatalogModel } from '../../../catalog-schema/model.ts'
import type { Kind } from '../../../catalog-schema/order.ts'
import { type FeatureName, findFeature } from '../../../catalog-schema/rules/find-feature.ts'
import { checkItem } from '../../../catalog-schema/rules/items.ts'
import type { Breach } from '../../../catalog-schema/rules/rule.ts'
import { type FieldError, invalid, Problem } from '../../kit/problem.ts'

/** Every rule that a canonical item breaks in the catalog around it, features that it names and nobody has included. */
export function breachesOf(kind: Kind, item: object, around: CatalogModel): Breach[] {
  const unknown = mentionsOf(kind, item, around.suiteText).flatMap(({ kind: named, path, named: name }): Breach[] => {
    if (named !== 'feature' || findFeature(around, name as unknown as FeatureName)) return []
    return [
      { codeName: 'license.validation_error', path, message: `there is no feature "${String(name.featureCode)}"` },
    ]
  })
  return [...unknown, ...checkItem(kind, item, around).breaches]
}

const mostErrors = 100

/** Refuses a request in which something is not acceptable, naming at most a hundred errors. */
export function refuseErrors(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid(errors.slice(0, mostErrors))
}

/** Refuses a request that breaks rules: with all that is not acceptable in it, each error pointing where `pointer` says; else with the first refusal. */
export function refuseBreaches(breaches: readonly Breach[], pointer: (path: string) => string): void {
  const errors: FieldError[] = breaches
    .filter(({ codeName }) => codeName === 'license.validation_error' || codeName === 'catalog.unresolved_reference')
    .slice(0, mostErrors)
    .map(({ path, message }) => ({ pointer: pointer(path), message }))
  refuseErrors(errors)
  const first = breaches[0]
  if (first) throw new Problem(first.codeName, `${first.message}.`)
}
