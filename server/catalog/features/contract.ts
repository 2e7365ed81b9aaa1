import { featureFields } from '../../../catalog-schema/feature.ts'
import { Uuid } from '../../../catalog-schema/scalars.ts'
import { Closed } from '../../../catalog-schema/shapes.ts'
import { actionContract, collectionContracts } from '../../kit/collection.ts'
import { recordId, stampedTail } from '../../kit/records/answers.ts'
import { bodyOf } from '../../kit/records/body.ts'
import { commonFilterFields, filterFieldsOf, storedFields } from '../../kit/records/columns.ts'
import { tagFilterField } from '../records/tagging.ts'

/** The fields of an entry that a request writes. */
export const featureBodyFields = {
  productId: Uuid({ description: 'The product whose feature it is; fixed at creation.' }),
  ...featureFields,
}

/** The fields that a request clears, by what says so. */
export const featureClears = {
  clearValueScore: 'valueScore',
  clearMeterAggregationType: 'meterAggregationType',
} as const

/** A feature catalog entry as it is answered. */
export const FeatureRecord = Closed({ ...recordId, ...featureBodyFields, ...stampedTail }, { title: 'Feature' })

export const featureFilterFields = [
  ...commonFilterFields('features', { created: 'creationTimeStamp', updated: 'lastUpdateTimeStamp' }),
  ...filterFieldsOf('features', storedFields(featureBodyFields)),
  tagFilterField('features'),
]

const collection = {
  name: 'admin.featureCatalog',
  noun: 'feature catalog entry',
  plural: 'feature catalog entries',
  path: 'admin/feature-catalog',
  scope: 'feature-catalog',
  record: FeatureRecord,
} as const

const step = <const A extends string>(action: A, summary: string) =>
  actionContract(collection, action, summary, ['catalog.invalid_transition'])

export const featureContracts = {
  ...collectionContracts({
    ...collection,
    create: bodyOf(featureBodyFields, ['productId', 'featureCode', 'name']),
    update: bodyOf(featureBodyFields, [], featureClears),
    replace: bodyOf(featureBodyFields, ['name'], featureClears),
    filterable: featureFilterFields.map(({ name }) => name),
    notSortable: ['tags'],
    editProblems: ['catalog.invalid_transition', 'catalog.in_use'],
    deleteProblems: ['catalog.in_use'],
  }),
  preview: step('preview', 'Show a feature before it is released'),
  publish: step('publish', 'Release a feature, or bring a disabled one back'),
  disable: step('disable', 'Take a released feature out of use'),
  archive: step('archive', 'Put a disabled feature away for good'),
}
