import { Type } from 'typebox'
import { itemSchemas, type Kind, kindOfSection, kinds, type Section, sections } from './order.ts'
import { NullableText, Text } from './scalars.ts'
import { Closed } from './shapes.ts'
import { formatVersion, type Reference, scopeNames } from './snapshot-format.ts'

/** What each section holds, for people. */
const sectionWords: Record<Section, string> = {
  tags: 'Labels for organising the catalog, by vocabulary.',
  products: 'What is sold and shipped.',
  featureCatalog: 'What products can do.',
  monitoredAssets: 'What is metered, and how it is charged.',
  suites: 'Products that are sold together.',
  plans: 'Plan sets: plans that are alternatives to one another.',
  addOns: 'What is sold on top of a plan.',
  entitlementOffers: 'What entitlements are cloned from.',
}

const sectionOfItems = <S extends Section>(section: S, items: object) =>
  Type.Unsafe<Record<string, unknown>[] | null>({
    type: ['array', 'null'],
    maxItems: 200_000,
    items,
    description: sectionWords[section],
  })

const sectionsOf = (itemsOf: (kind: Kind) => object) =>
  Object.fromEntries(
    sections.map((section) => [section, Type.Optional(sectionOfItems(section, itemsOf(kindOfSection[section])))]),
  ) as { [S in Section]: ReturnType<typeof Type.Optional<ReturnType<typeof sectionOfItems<S>>>> }

const naturalKeyFields = [
  'productCode',
  'productVersion',
  'featureCode',
  'metricName',
  'code',
  'name',
  'version',
  'scope',
]

const reference = {
  type: 'object',
  additionalProperties: false,
  properties: {
    kind: { type: 'string', enum: [...kinds], description: 'What kind of item it is.' },
    naturalKey: {
      type: 'object',
      additionalProperties: false,
      properties: Object.fromEntries(
        naturalKeyFields.map((field) => [
          field,
          NullableText(500, { description: `The ${field} of its natural key.` }),
        ]),
      ),
      description: 'The fields that identify the item.',
    },
    presence: {
      type: 'string',
      enum: ['Included', 'External'],
      description: 'Included in this snapshot, or External: expected to be in the environment.',
    },
    referencedBy: {
      type: 'array',
      maxItems: 200_000,
      items: Text(2000, { description: 'A key string.' }),
      description: 'The keys of the items that name it.',
    },
  },
  description: 'An item that others name.',
}

/** What a snapshot says of itself; on input all of it may be absent, since it is derived. */
const derived = {
  exportedAt: Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      maxLength: 40,
      'x-instant': true,
      description: 'When it was exported.',
    }),
  ),
  sourceTenantId: Type.Optional(
    Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 100, description: 'Where it was exported.' }),
  ),
  scope: Type.Optional(
    Type.Unsafe<string[] | null>({
      type: ['array', 'null'],
      maxItems: 100,
      items: { type: 'string', enum: [...scopeNames], description: 'The name of a section.' },
      description: 'The sections it carries; what is not in it is not compared.',
    }),
  ),
  counts: Type.Optional(
    Type.Unsafe<Record<string, number> | null>({
      type: ['object', 'null'],
      maxProperties: 100,
      description: 'How many items each section has.',
    }),
  ),
  references: Type.Optional(
    Type.Unsafe<Record<string, Reference> | null>({
      type: ['object', 'null'],
      additionalProperties: reference,
      description: 'The items that others name, by key string.',
    }),
  ),
  warnings: Type.Optional(
    Type.Unsafe<unknown[] | null>({
      type: ['array', 'null'],
      maxItems: 200_000,
      description: 'What the export remarked.',
    }),
  ),
}

/** The schema of a snapshot whose items have the given schemas. */
export const snapshotOf = (itemsOf: (kind: Kind) => object) =>
  Closed(
    {
      formatVersion: Type.String({ maxLength: 20, description: `The format of the document: "${formatVersion}".` }),
      ...derived,
      ...sectionsOf(itemsOf),
      ratingCampaigns: Type.Optional(
        Type.Unsafe<unknown[] | null>({
          type: ['array', 'null'],
          maxItems: 200_000,
          description: 'Rating campaigns; not compared.',
        }),
      ),
    },
    { description: 'A catalog as one document, without ids and time stamps.' },
  )

/** A snapshot as compare, import and apply take it. */
export const SnapshotSchema = snapshotOf((kind) => itemSchemas[kind])

/** One file of a catalog directory: part of a snapshot. */
export const CatalogFileSchema = Closed(
  {
    $schema: Type.Optional(Type.String({ maxLength: 500, description: 'Where editors find this schema.' })),
    formatVersion: Type.Optional(
      Type.String({ maxLength: 20, description: `The format of the catalog: "${formatVersion}".` }),
    ),
    ...derived,
    ...sectionsOf((kind) => itemSchemas[kind]),
  },
  {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'licet catalog file',
    description: 'A file of a licet catalog directory. Every file is a part; together they are one snapshot.',
  },
)
