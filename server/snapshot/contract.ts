import { Type } from 'typebox'
import { sections } from '../../catalog-schema/order.ts'
import { Uuid } from '../../catalog-schema/scalars.ts'
import { ReviewedSnapshotSchema, SnapshotSchema } from '../../catalog-schema/snapshot-schema.ts'
import { listQuery, pageOf } from '../kit/collection.ts'
import { contract, provision } from '../kit/contract.ts'
import { Instant } from '../kit/records/answers.ts'
import { refuseOtherFormat } from './format.ts'

const scopeList = Type.Optional(
  Type.String({
    maxLength: 500,
    description: `Sections, comma-separated: ${sections.join(', ')}. All of them when absent.`,
  }),
)

const change = Type.Object(
  {
    path: Type.String({ description: 'RFC 6901 pointer whose segments are names.' }),
    before: Type.Unknown(),
    after: Type.Unknown(),
  },
  { description: 'One field, before and after; null where there is nothing.' },
)

const item = Type.Object({
  kind: Type.String(),
  key: Type.String(),
  action: Type.Union([Type.Literal('create'), Type.Literal('update'), Type.Literal('unchanged')]),
  changes: Type.Optional(Type.Array(change)),
  fingerprint: Type.Union([Type.String(), Type.Null()], {
    description: 'A digest of what the environment holds under the key; null when it holds nothing.',
  }),
  affects: Type.Optional(
    Type.Object({ entitlements: Type.Integer() }, { description: 'Live entitlements the change touches.' }),
  ),
})

const finding = { key: Type.String(), path: Type.String(), message: Type.String() }

const reportFields = {
  formatVersion: Type.String(),
  comparedAt: Instant('When.'),
  sourceTenantId: Type.Union([Type.String(), Type.Null()]),
  targetTenantId: Uuid(),
  environmentRevision: Type.String(),
  summary: Type.Object({
    create: Type.Integer(),
    update: Type.Integer(),
    unchanged: Type.Integer(),
    onlyHere: Type.Integer(),
    errors: Type.Integer(),
    warnings: Type.Integer(),
  }),
  items: Type.Array(item),
  onlyHere: Type.Array(Type.Object({ kind: Type.String(), key: Type.String(), path: Type.Optional(Type.String()) })),
  errors: Type.Array(Type.Object({ ...finding, code: Type.Integer(), codeName: Type.String() })),
  warnings: Type.Array(Type.Object({ ...finding, code: Type.String() })),
}
const Report = Type.Object(reportFields)
const ImportReport = Type.Object({ importId: Uuid(), ...reportFields })

const importSource = Type.Optional(
  Type.String({
    maxLength: 500,
    description:
      'Where the snapshot came from, for the import history; such as a git revision. Its sourceTenantId when absent.',
  }),
)
/** Refusals of a snapshot: what is wrong with it is always answered with 400. */
const refusals = [
  'catalog.format_version',
  'catalog.unresolved_reference',
  'catalog.duplicate_key',
  'catalog.invalid_transition',
  'catalog.in_use',
] as const

export const compareCatalog = contract({
  name: 'admin.catalog.compare',
  method: 'POST',
  path: `${provision}/admin/catalog/compare`,
  access: 'admin.catalog:read',
  summary: 'Compare a snapshot with this environment',
  description:
    'Says field by field what importing the snapshot would create and update, and what only the environment has. Changes nothing and leaves no trace. A well-formed snapshot that cannot be imported is answered with 200 and every error listed.',
  query: Type.Object(
    {
      include: Type.Optional(
        Type.Unsafe<'unchanged'>({
          type: 'string',
          enum: ['unchanged'],
          description: 'Lists the items that would stay as they are, too; without it they are counted.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  body: SnapshotSchema,
  bodySlot: 'snapshot',
  refuseBody: refuseOtherFormat,
  answer: Report,
  problems: ['catalog.format_version'],
  lane: 'heavy',
  changesNothing: true,
})

export const importCatalog = contract({
  name: 'admin.catalog.import',
  method: 'POST',
  path: `${provision}/admin/catalog/import`,
  access: 'admin.catalog:write',
  summary: 'Import a snapshot',
  description:
    'Creates and updates what the snapshot names, all or nothing; never removes anything. The same snapshot again changes nothing.',
  query: Type.Object(
    {
      expectedRevision: Type.Optional(
        Type.String({
          maxLength: 40,
          description: "Refused with 409 when this is no longer the environment's revision.",
        }),
      ),
      source: importSource,
    },
    { additionalProperties: false },
  ),
  body: SnapshotSchema,
  bodySlot: 'snapshot',
  refuseBody: refuseOtherFormat,
  answer: ImportReport,
  problems: [...refusals, 'catalog.environment_changed'],
  answered400: refusals,
  lane: 'heavy',
})

export const applyCatalog = contract({
  name: 'admin.catalog.apply',
  method: 'POST',
  path: `${provision}/admin/catalog/apply`,
  access: 'admin.catalog:write',
  summary: 'Import a reviewed snapshot, guarded key by key',
  description:
    'The import, refused with 409 and `moved` when a key named in `expected`, or another key that it would change, is no longer as expected.',
  query: Type.Object({ source: importSource }, { additionalProperties: false }),
  body: ReviewedSnapshotSchema,
  refuseBody: (body) => refuseOtherFormat((body as { snapshot?: unknown } | null)?.snapshot),
  answer: ImportReport,
  problems: [...refusals, 'catalog.environment_changed'],
  answered400: refusals,
  lane: 'heavy',
})

export const exportCatalog = contract({
  name: 'admin.catalog.export',
  method: 'GET',
  path: `${provision}/admin/catalog/export`,
  access: 'admin.catalog:read',
  summary: 'Export the catalog as a snapshot',
  description: 'In canonical order: two exports of one state are the same bytes but for exportedAt.',
  query: Type.Object({ scope: scopeList }, { additionalProperties: false }),
  answer: Type.Unsafe<object>(SnapshotSchema),
  lane: 'heavy',
})

const driftedItem = Type.Object({
  kind: Type.String(),
  key: Type.String(),
  action: Type.Union([Type.Literal('create'), Type.Literal('update'), Type.Literal('delete')]),
  changes: Type.Optional(Type.Array(change)),
  changedAt: Type.Union([Type.String(), Type.Null()], {
    description: 'When the item changed last, or whatever it names when nobody touched the item itself.',
  }),
  changedBy: Type.Union([Type.String(), Type.Null()]),
})

export const driftOfCatalog = contract({
  name: 'admin.catalog.drift',
  method: 'GET',
  path: `${provision}/admin/catalog/drift`,
  access: 'admin.catalog:read',
  summary: 'What has changed since the last import',
  description:
    'Holds the environment against the state that its last import left, whatever that import was about, and says field by field what has been created, updated and deleted since, by whom and when. `since` is null, and nothing is listed, where nothing has been imported yet.',
  answer: Type.Object({
    since: Type.Union([
      Type.Object({
        importId: Uuid(),
        importedAt: Instant('When that import was.'),
        importedBy: Type.String(),
        revision: Type.String(),
      }),
      Type.Null(),
    ]),
    environmentRevision: Type.String(),
    summary: Type.Object({ created: Type.Integer(), updated: Type.Integer(), deleted: Type.Integer() }),
    items: Type.Array(driftedItem),
  }),
  lane: 'heavy',
})

const importEntry = {
  id: Uuid(),
  importId: Uuid({ description: 'The id, as the answer of the import names it.' }),
  importedAt: Instant('When it was imported.'),
  importedBy: Type.String(),
  source: Type.Union([Type.String(), Type.Null()]),
  revisionBefore: Type.String(),
  revisionAfter: Type.String(),
  summary: reportFields.summary,
}
const importParams = Type.Object({ importId: Uuid() }, { additionalProperties: false })

export const listImports = contract({
  name: 'admin.catalog.imports.list',
  method: 'GET',
  path: `${provision}/admin/catalog/imports`,
  access: 'admin.catalog:read',
  summary: 'List past imports',
  query: listQuery,
  filterable: ['id', 'importId', 'importedAt', 'importedBy', 'source', 'revisionBefore', 'revisionAfter'],
  answer: pageOf(Type.Object(importEntry)),
})

export const getImport = contract({
  name: 'admin.catalog.imports.get',
  method: 'GET',
  path: `${provision}/admin/catalog/imports/{importId}`,
  access: 'admin.catalog:read',
  summary: 'Read the whole report of a past import',
  description: 'Every field of the report that the import answered, with who imported what, when and from where.',
  params: importParams,
  answer: Type.Object({
    ...reportFields,
    ...importEntry,
    report: Type.Unsafe<object>({ ...ImportReport, description: 'The report once more, as the import answered it.' }),
  }),
})

export const getImportBefore = contract({
  name: 'admin.catalog.imports.before',
  method: 'GET',
  path: `${provision}/admin/catalog/imports/{importId}/before`,
  access: 'admin.catalog:read',
  summary: 'Read what an import touched, as it was before it',
  description: 'A snapshot: importing it puts back what the import overwrote.',
  params: importParams,
  answer: Type.Unsafe<object>(SnapshotSchema),
})
