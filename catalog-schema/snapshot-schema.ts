import { type TSchema, Type } from 'typebox'
import { itemSchemas, type Kind, kindOfSection, kinds, type Section, sections } from './order.ts'
import { NullableText, Text } from './scalars.ts'
import { Closed } from './shapes.ts'
import { formatVersion, type Reference, type Snapshot } from './snapshot-format.ts'

/** What each section holds, for people. */
const sectionWords: Record<Section, string> = {
  tags: 'Labels for organising the catalog, each of one vocabulary. They never reach a customer.',
  products: 'What is sold and shipped, with the features attached to it.',
  featureCatalog: 'The feature catalog: what products can do and plans, add-ons and offers give.',
  monitoredAssets: 'What is metered, and how it is charged.',
  suites: 'Products that are sold together; the suite of one that each product has is not written here.',
  plans: 'Plan sets: for one suite each, plans that are alternatives to one another, with their prices.',
  addOns: 'Add-ons: what is sold on top of a plan, and which values it changes.',
  entitlementOffers: 'Offers: templates that entitlements are cloned from when something is sold.',
  ratingCampaigns: 'Rating campaigns: transient asks for how end users like some features.',
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
    kind: {
      type: 'string',
      enum: [...kinds],
      description: 'Whether it is a product, a planSet or another kind of item.',
    },
    naturalKey: {
      type: 'object',
      additionalProperties: false,
      properties: Object.fromEntries(
        naturalKeyFields.map((field) => [
          field,
          NullableText(500, { description: `The ${field} by which the item is identified, where its kind has one.` }),
        ]),
      ),
      description: 'The fields that identify the item.',
    },
    presence: {
      type: 'string',
      enum: ['Included', 'External'],
      description: 'Included in these files, or External: not here, and expected to be in the environment already.',
    },
    referencedBy: {
      type: 'array',
      maxItems: 200_000,
      items: Text(2000, { description: 'A key string, such as plan-set:ACME-CAD@2.0/Standard.' }),
      description: 'The key strings of the items that name it; derived on export and not read.',
    },
  },
  description: 'An item that others name.',
}

const warning = {
  type: 'object',
  additionalProperties: false,
  required: ['code', 'key', 'message'],
  properties: {
    code: Text(100, { description: 'What kind of remark it is, such as key_repeated.' }),
    key: Text(2000, { description: 'The key string of the item that it is about, such as product:ACME-CAD@2.0.' }),
    message: Text(20_000, { description: 'What was found, in words.' }),
  },
  description: 'A remark on one item of the export.',
}

/** What a snapshot says of itself; on input all of it may be absent, since it is derived. */
const derived = {
  exportedAt: Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      maxLength: 40,
      'x-instant': true,
      description: 'The instant of the export, as an RFC 3339 date-time; not compared.',
    }),
  ),
  sourceTenantId: Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      maxLength: 100,
      description: 'The id of the tenant that it was exported from; not compared.',
    }),
  ),
  scope: Type.Optional(
    Type.Unsafe<string[] | null>({
      type: ['array', 'null'],
      maxItems: 100,
      items: { type: 'string', enum: [...sections], description: 'One of the sections, such as products.' },
      description: 'The sections that the document speaks of; one that is not named is not compared at all.',
    }),
  ),
  counts: Type.Optional(
    Type.Unsafe<Record<string, number> | null>({
      type: ['object', 'null'],
      maxProperties: 100,
      additionalProperties: { type: 'integer', minimum: 0, description: 'How many items the section holds.' },
      description: 'The number of items in each section, by its name; derived on export and not read.',
    }),
  ),
  references: Type.Optional(
    Type.Unsafe<Record<string, Reference> | null>({
      type: ['object', 'null'],
      additionalProperties: reference,
      description:
        'The items that others name, by key string such as product:ACME-CAD@2.0. One with presence External is taken on trust when files are checked without a server.',
    }),
  ),
  warnings: Type.Optional(
    Type.Unsafe<Snapshot['warnings'] | null>({
      type: ['array', 'null'],
      maxItems: 200_000,
      items: warning,
      description: 'Remarks of the export on what it found; not compared.',
    }),
  ),
}

/** What one file of a catalog says of itself, beside its sections. */
export const FileHeadSchema = Closed(derived, { description: 'What a file says of itself.' })

/** The schema of a snapshot whose items have the given schemas. */
export const snapshotOf = (itemsOf: (kind: Kind) => object) =>
  Closed(
    {
      formatVersion: Type.String({
        maxLength: 20,
        description: `The version of the format that the document is written in; there is "${formatVersion}" so far.`,
      }),
      ...derived,
      ...sectionsOf(itemsOf),
    },
    { description: 'A catalog as one document, without ids and time stamps.' },
  )

/** A snapshot as compare, import and apply take it. */
export const SnapshotSchema = snapshotOf((kind) => itemSchemas[kind])

/** The schema of a reviewed snapshot whose snapshot has the given schema. */
export const reviewedOf = <S extends TSchema>(snapshot: S) =>
  Type.Object(
    {
      snapshot,
      expected: Type.Unsafe<Record<string, string | null>>({
        type: 'object',
        additionalProperties: { type: ['string', 'null'] },
        description: 'Fingerprint of each key as it was reviewed; null for a key that was not there.',
      }),
    },
    { additionalProperties: false },
  )

/** A snapshot as apply takes it, with what it was reviewed against. */
export const ReviewedSnapshotSchema = reviewedOf(SnapshotSchema)

/** One file of a catalog directory: part of a snapshot. */
export const CatalogFileSchema = Closed(
  {
    $schema: Type.Optional(
      Type.String({
        maxLength: 500,
        description: 'The address or path of the JSON Schema by which editors check and explain this file.',
      }),
    ),
    formatVersion: Type.Optional(
      Type.String({
        maxLength: 20,
        description: `The version of the format that the file is written in; there is "${formatVersion}" so far, and it may be left out.`,
      }),
    ),
    ...derived,
    ...sectionsOf((kind) => itemSchemas[kind]),
  },
  {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'licet catalog file',
    description:
      'A file of a licet catalog directory. Every file holds sections; all files together are one catalog, in whatever layout.',
  },
)
