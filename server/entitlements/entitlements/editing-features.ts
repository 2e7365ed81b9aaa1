import type { FieldError } from '../../kit/problem.ts'
import { broughtIn, identityOf } from '../plans/layering.ts'
import type { Layers, StoredFeature } from './stored.ts'

/** What a request changes of one feature of an entitlement. */
export interface FeatureEdit {
  productId: string
  featureCode: string
  value?: string
  version?: string
  isEnabled?: boolean
  featureExpiration?: string
  clearFeatureExpiration?: boolean
}

/** An edit, and where it stands in its request. */
export type PlacedEdit = FeatureEdit & { pointer: string }

/** An entitlement's own features, and what is applied over them. */
export interface Features {
  own: readonly StoredFeature[]
  layers: Layers
}

/**
 * The features once the edits are done, those of the catalog included that `copy` finds and the entitlement had not. A value
 * given stands in its plan's place too, until another plan is applied. What cannot be edited, or is edited twice, is an error
 * at its place.
 */
export function editFeatures(
  { own, layers }: Features,
  edits: readonly PlacedEdit[],
  effectiveValue: (edit: FeatureEdit) => string | null | undefined,
  copy: (edit: FeatureEdit) => StoredFeature | undefined,
): Features & { errors: FieldError[] } {
  const errors: FieldError[] = []
  const ownOf = new Map(own.map((feature) => [identityOf(feature), feature]))
  const broughtOf = new Map(broughtIn(layers).map((feature) => [identityOf(feature), feature]))
  const edited = new Map<string, StoredFeature>()
  const values = new Map<string, string>()
  for (const edit of edits) {
    const key = identityOf(edit)
    const feature = ownOf.get(key) ?? broughtOf.get(key) ?? copy(edit)
    const isValued = edit.value !== undefined && edit.value !== effectiveValue(edit)
    const error = errorOf(edit, feature, isValued, edited.has(key))
    if (error) errors.push(error)
    if (error || !feature) continue
    edited.set(key, { ...feature, ...changesOf(edit, isValued) })
    if (isValued) values.set(key, edit.value!)
  }
  const afterEdit = (feature: StoredFeature) => edited.get(identityOf(feature)) ?? feature
  const added = [...edited].filter(([key]) => !ownOf.has(key) && !broughtOf.has(key)).map(([, feature]) => feature)
  return {
    own: [...own.map(afterEdit), ...added],
    layers: {
      plan: layers.plan && {
        ...layers.plan,
        brought: layers.plan.brought.map(afterEdit),
        lineItems: valuedLines(layers.plan.lineItems, values),
      },
      addOns: layers.addOns.map((addOn) => ({ ...addOn, brought: addOn.brought.map(afterEdit) })),
    },
    errors,
  }
}

/** Why an edit cannot be done, if it cannot. */
function errorOf(
  { pointer, featureCode }: PlacedEdit,
  feature: StoredFeature | undefined,
  isValued: boolean,
  isRepeated: boolean,
): FieldError | undefined {
  if (!feature) return { pointer: `${pointer}/featureCode`, message: `there is no feature "${featureCode}"` }
  if (isRepeated) return { pointer, message: `"${featureCode}" of this product stands in the request already` }
  if (isValued && !feature.canModifyValueOnEntitlement)
    return { pointer: `${pointer}/value`, message: 'this feature has the value that its product or plan gives it' }
  return undefined
}

const changesOf = (edit: FeatureEdit, isValued: boolean): Partial<StoredFeature> => ({
  ...(isValued ? { value: edit.value! } : {}),
  ...(edit.version === undefined ? {} : { version: edit.version }),
  ...(edit.isEnabled === undefined ? {} : { isEnabled: edit.isEnabled }),
  ...(edit.featureExpiration === undefined ? {} : { featureExpiration: edit.featureExpiration }),
  ...(edit.clearFeatureExpiration ? { featureExpiration: null } : {}),
})

type Lines = NonNullable<Layers['plan']>['lineItems']

/** The lines of a plan with the values that features were given by hand, where the plan gives them one. */
const valuedLines = (lines: Lines, values: ReadonlyMap<string, string>): Lines =>
  lines.map((line) => ({
    ...line,
    featureValues: line.featureValues.map((given) => {
      const value = values.get(identityOf({ productId: line.productId, featureCode: given.featureCode }))
      return value === undefined || given.value === null ? given : { ...given, value }
    }),
  }))
