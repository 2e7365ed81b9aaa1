import { Type } from 'typebox'
import { Flag, Uuid } from '../../../catalog-schema/scalars.ts'
import { Closed } from '../../../catalog-schema/shapes.ts'
import { tagFields } from '../../../catalog-schema/tag.ts'
import { collectionContracts, idParams } from '../../kit/collection.ts'
import { contract, provision } from '../../kit/contract.ts'
import { bodyOf } from '../../kit/records/body.ts'
import { tagFilterFields } from './store.ts'

/** A tag as it is answered. */
const TagRecord = Closed({
  id: Uuid(),
  ...tagFields,
  usageCount: Type.Integer({ description: 'How many records carry the tag.' }),
  isDeleted: Flag({ default: false }),
  createdAt: Type.String({ format: 'date-time' }),
  updatedAt: Type.String({ format: 'date-time', description: 'When it was last renamed or recoloured.' }),
  revisionNumber: Type.Integer(),
})

export const tagContracts = collectionContracts({
  name: 'admin.tags',
  noun: 'tag',
  plural: 'tags',
  path: 'admin/tags',
  scope: 'tags',
  record: TagRecord,
  create: bodyOf(tagFields, ['scope', 'name']),
  update: bodyOf(tagFields),
  replace: bodyOf(tagFields, ['name']),
  filterable: tagFilterFields.map(({ name }) => name),
})

export const mergeContract = contract({
  name: 'admin.tags.merge',
  method: 'POST',
  path: `${provision}/admin/tags/{id}/merge`,
  access: 'admin.tags:update',
  summary: 'Merge a tag into another of its scope',
  description: 'Every record that carries the tag carries the kept one instead, once; the tag is deleted.',
  params: idParams,
  body: Closed({ intoTagId: Uuid({ description: 'The tag to keep.' }) }),
  answer: TagRecord,
  problems: ['license.record_not_found', 'request.precondition_failed'],
})
