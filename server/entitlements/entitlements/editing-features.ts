import type { FieldError } from '../../kit/problem.ts'
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
 * given stands in its plan's place too, until another plan is applied. What cannot be edited is an error at its place.
 */
export function editFeatures(
  { own, layers }: Features,
  edits: readonly PlacedEdit[],
  effectiveValue: (edit: FeatureEdit) => string | null | undefined,
  copy: (edit: FeatureEdit) => StoredFeature | undefined,
): Features & { errors: FieldError[] } {
  const errors: FieldError[] = []
  const features = { own: [...own], plan: layers.plan, addOns: layers.addOns }
  for (const edit of edits) {
    const isMeant = isOf(edit)
    const lists = [features.own, features.plan?.brought ?? [], ...features.addOns.map(({ brought }) => brought)]
    const known = lists.flatMap((list) => list.filter(isMeant))[0]
    const feature = known ?? copy(edit)
    if (!feature) {
      errors.push({ pointer: `${edit.pointer}/featureCode`, message: `there is no feature "${edit.featureCode}"` })
      continue
    }
    const isValued = edit.value !== undefined && edit.value !== effectiveValue(edit)
    if (isValued && !feature.canModifyValueOnEntitlement) {
      errors.push({ pointer: `${edit.pointer}/value`, message: 'this feature has the value of its product or plan' })
      continue
    }
    const edited = { ...feature, ...changesOf(edit, isValued) }
    features.own = known && !features.own.some(isMeant) ? features.own : replaced(features.own, isMeant, edited)
    features.plan = features.plan && {
      ...features.plan,
      brought: features.plan.brought.map((one) => (isMeant(one) ? edited : one)),
      lineItems: isValued ? valuedLines(features.plan.lineItems, edit) : features.plan.lineItems,
    }
    features.addOns = features.addOns.map((addOn) => ({
      ...addOn,
      brought: addOn.brought.map((one) => (isMeant(one) ? edited : one)),
    }))
  }
  return { own: features.own, layers: { plan: features.plan, addOns: features.addOns }, errors }
}

type Identity = Pick<StoredFeature, 'productId' | 'featureCode'>

const isOf =
  ({ productId, featureCode }: Identity) =>
  (other: Identity) =>
    other.productId === productId && other.featureCode === featureCode

const changesOf = (edit: FeatureEdit, isValued: boolean): Partial<StoredFeature> => ({
  ...(isValued ? { value: edit.value! } : {}),
  ...(edit.version === undefined ? {} : { version: edit.version }),
  ...(edit.isEnabled === undefined ? {} : { isEnabled: edit.isEnabled }),
  ...(edit.featureExpiration === undefined ? {} : { featureExpiration: edit.featureExpiration }),
  ...(edit.clearFeatureExpiration ? { featureExpiration: null } : {}),
})

/** The list with the feature in its place, or at the end. */
const replaced = (list: readonly StoredFeature[], isMeant: (one: Identity) => boolean, feature: StoredFeature) =>
  list.some(isMeant) ? list.map((one) => (isMeant(one) ? feature : one)) : [...list, feature]

type Lines = NonNullable<Layers['plan']>['lineItems']

/** The lines of a plan with the value that a feature was given by hand, where the plan gives it one. */
const valuedLines = (lines: Lines, { productId, featureCode, value }: FeatureEdit): Lines =>
  lines.map((line) =>
    line.productId !== productId
      ? line
      : {
          ...line,
          featureValues: line.featureValues.map((given) =>
            given.featureCode === featureCode && given.value !== null ? { ...given, value: value! } : given,
          ),
        },
  )
