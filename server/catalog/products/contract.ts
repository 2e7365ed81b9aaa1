import { Type } from 'typebox'
import { metricFields } from '../../../catalog-schema/metric.ts'
import { type Product, productFeatureFields, productItemFields } from '../../../catalog-schema/product.ts'
import { NullableUuid, Text, Uuid } from '../../../catalog-schema/scalars.ts'
import { Closed, NamedList, Patchable } from '../../../catalog-schema/shapes.ts'
import { actionContract, collectionContracts } from '../../kit/collection.ts'
import { recordId, recordTail, stampedTail } from '../../kit/records/answers.ts'
import { bodyOf } from '../../kit/records/body.ts'
import { commonFilterFields, filterFieldsOf, storedFields } from '../../kit/records/columns.ts'
import { MetricRecord } from '../metrics/contract.ts'
import { tagFilterField } from '../records/tagging.ts'

const { parentProductCode: _code, parentProductVersion: _version, ...ownFields } = productItemFields

const givenFeature = Patchable(
  {
    featureCatalogId: NullableUuid({
      description:
        "Names the feature by its entry of this product's feature catalog, where featureCode is left out; given both, they agree.",
    }),
    ...productFeatureFields,
  },
  [],
  {
    description:
      'A feature as attached to a product. What is left out is as its entry of the feature catalog says where there is one: name, units, usageMetric (its metricName), featureType, meterAggregationType, visibility, enumOptions.',
  },
)

/** The fields of a product that a request writes. */
export const productBodyFields = {
  ...ownFields,
  name: Text(300, {
    min: 1,
    description: 'What people read wherever the product is shown.',
    examples: ['Acme CAD'],
  }),
  propertyValues: Type.Unsafe<Product['propertyValues']>({
    ...ownFields.propertyValues,
    description:
      'Properties of your own under names of your own, such as a weight or a cost centre; licet keeps them and does not read them. PATCH merges them by name and field by field, and leaves one that is null as it is; PUT replaces them all.',
  }),
  features: NamedList(givenFeature, ['featureCode'], {
    description:
      "The features attached to the product with the values that every customer has; the list is replaced whole. Where none says a sortOrder, they stand in the list's order.",
  }),
  parentProductId: NullableUuid({ description: 'The product this one is part of.' }),
}

/** The fields that a request clears, by what says so. */
export const productClears = {
  clearExpirationDate: 'expirationDate',
  clearParentProduct: 'parentProductId',
  clearProductInformation: 'productInformation',
} as const

const featureRecord = Closed({
  ...recordId,
  featureCatalogId: NullableUuid({ description: "The entry of the feature catalog under the product's same code." }),
  ...productFeatureFields,
  ...stampedTail,
})

const { metricName, name, description, metricType, unit, category, numberFormat } = metricFields
const simpleMetric = Closed({
  ...recordId,
  productId: Uuid(),
  ...{ metricName, name, description, metricType, unit, category, numberFormat },
})

/** A product as it is answered, with what is metered of it. */
export const ProductRecord = Closed({
  ...recordId,
  providerId: Uuid({ description: 'The tenant that provides it.' }),
  ...productBodyFields,
  features: Type.Array(featureRecord),
  monitoredAssets: Type.Array(MetricRecord),
  metrics: Type.Array(simpleMetric),
  ...recordTail,
})

export const productFilterFields = [
  ...commonFilterFields('products'),
  { name: 'providerId', column: 'products.tenant_id', nullable: false, type: 'uuid' as const },
  ...filterFieldsOf('products', storedFields(productBodyFields, ['features'])),
  tagFilterField('products'),
]

const collection = {
  name: 'admin.products',
  noun: 'product',
  plural: 'products',
  path: 'admin/products',
  scope: 'products',
  record: ProductRecord,
} as const

const step = <const A extends string>(action: A, summary: string) =>
  actionContract(collection, action, summary, ['catalog.invalid_transition', 'catalog.in_use'])

export const productContracts = {
  ...collectionContracts({
    ...collection,
    create: bodyOf(productBodyFields, ['productCode', 'name']),
    update: bodyOf(productBodyFields, [], productClears),
    replace: bodyOf(productBodyFields, ['name'], productClears),
    filterable: productFilterFields.map(({ name }) => name),
    notSortable: ['tags'],
    editProblems: ['catalog.invalid_transition', 'catalog.in_use'],
    deleteProblems: ['catalog.in_use'],
  }),
  publish: step('publish', 'Release a product'),
  retire: step('retire', 'Take a released product off the market'),
  lock: step('lock', 'Lock a product against edits'),
  unlock: step('unlock', 'Let a locked product be edited again'),
}
