import { type Static, type TSchema, Type } from 'typebox'
import { Uuid } from '../../catalog-schema/scalars.ts'
import { Closed } from '../../catalog-schema/shapes.ts'
import type { ProblemName } from '../vocabulary/problems.ts'
import { type Contract, contract, provision } from './contract.ts'
import type { Page } from './page.ts'
import { withoutDefaults } from './records/body.ts'

/** What a list request may say; `filter` and `sortOrder` are Sieve expressions over the contract's filterable names. */
export const listQuery = Closed({
  pageNumber: Type.Optional(
    Type.Unsafe<string | number>({ type: ['integer', 'string'], description: 'The page, counted from 1.' }),
  ),
  pageSize: Type.Optional(
    Type.Unsafe<string | number>({
      type: ['integer', 'string'],
      description:
        'How many items make a page: 25 unless told; more than 100 is read as 100, and less than 1 asks for none, only how many there are.',
    }),
  ),
  filter: Type.Optional(
    Type.String({ description: 'A filter, such as `name@=cad,status==Published`: see Filters, above all operations.' }),
  ),
  sortOrder: Type.Optional(Type.String({ description: 'Fields to sort by, such as `name,-createdAt`: see Filters.' })),
})
export type ListQuery = Static<typeof listQuery>

/** The path parameter of everything that is done to one record. */
export const idParams = Closed({ id: Uuid({ description: 'The id of the record.' }) })

/** The envelope of a page of these items. */
export const pageOf = <R extends TSchema>(item: R) =>
  Type.Unsafe<Page<Static<R>>>({
    type: 'object',
    properties: {
      items: { type: 'array', items: item },
      pageNumber: { type: 'integer', description: 'Counted from 1.' },
      pageSize: { type: 'integer' },
      totalCount: { type: 'integer', description: 'Items on all pages together.' },
      totalPages: { type: 'integer' },
      hasNextPage: { type: 'boolean' },
      hasPreviousPage: { type: 'boolean' },
    },
    required: ['items', 'pageNumber', 'pageSize', 'totalCount', 'totalPages', 'hasNextPage', 'hasPreviousPage'],
  })

interface Collection<R extends TSchema, C extends TSchema, U extends TSchema, P extends TSchema> {
  /** Where its procedures stand in the router, such as `admin.tags`. */
  name: string
  /** One record of it and several, in words. */
  noun: string
  plural: string
  /** Below the provision path, such as `admin/tags`. */
  path: string
  /** The scope resource. */
  scope: string
  record: R
  create: C
  update: U
  replace: P
  filterable: readonly string[]
  notSortable?: readonly string[]
  /** Refusals of creates and edits, and of deletes, beside those of every collection. */
  editProblems?: readonly ProblemName[]
  deleteProblems?: readonly ProblemName[]
}

/** The six operations of a collection: list, create, get, update (PATCH), replace (PUT), delete. */
export function collectionContracts<R extends TSchema, C extends TSchema, U extends TSchema, P extends TSchema>(
  of: Collection<R, C, U, P>,
) {
  const path = `${provision}/${of.path}`
  const one = `${path}/{id}`
  const edits = ['catalog.duplicate_key', ...(of.editProblems ?? [])] as ProblemName[]
  const found = ['license.record_not_found', 'request.precondition_failed'] as ProblemName[]
  return {
    list: contract({
      name: `${of.name}.list`,
      method: 'GET',
      path,
      access: `admin.${of.scope}:read`,
      summary: `List ${of.plural}`,
      query: listQuery,
      answer: pageOf(of.record),
      filterable: of.filterable,
      ...(of.notSortable ? { notSortable: of.notSortable } : {}),
    }),
    create: contract({
      name: `${of.name}.create`,
      method: 'POST',
      path,
      access: `admin.${of.scope}:create`,
      summary: `Create ${withArticle(of.noun)}`,
      body: of.create,
      answer: of.record,
      problems: edits,
    }),
    get: contract({
      name: `${of.name}.get`,
      method: 'GET',
      path: one,
      access: `admin.${of.scope}:read`,
      summary: `Read ${withArticle(of.noun)}`,
      params: idParams,
      answer: of.record,
      problems: ['license.record_not_found'],
    }),
    update: contract({
      name: `${of.name}.update`,
      method: 'PATCH',
      path: one,
      access: `admin.${of.scope}:update`,
      summary: `Change fields of ${withArticle(of.noun)}`,
      description: 'Fields that are absent or null stay as they are; a list replaces the stored one.',
      params: idParams,
      body: withoutDefaults(of.update),
      answer: of.record,
      problems: [...found, ...edits],
    }),
    replace: contract({
      name: `${of.name}.replace`,
      method: 'PUT',
      path: one,
      access: `admin.${of.scope}:update`,
      summary: `Write ${withArticle(of.noun)} anew`,
      description: `Takes what an update takes, and requires ${requiredOf(of.replace)}; fields that are absent or null stay as they are. A record may come back as it was read: what is read-only is left out of it.`,
      takesAsRead: true,
      params: idParams,
      body: withoutDefaults(of.replace),
      answer: of.record,
      problems: [...found, ...edits],
    }),
    delete: contract({
      name: `${of.name}.delete`,
      method: 'DELETE',
      path: one,
      access: `admin.${of.scope}:delete`,
      summary: `Delete ${withArticle(of.noun)}`,
      params: idParams,
      problems: [...found, ...(of.deleteProblems ?? [])],
    }),
  }
}

/** `POST {collection}/{id}/{action}` without a body, answered with the record. */
export function actionContract<R extends TSchema>(
  of: Pick<Collection<R, TSchema, TSchema, TSchema>, 'name' | 'path' | 'scope' | 'record'>,
  action: string,
  summary: string,
  problems: readonly ProblemName[],
) {
  return contract({
    name: `${of.name}.${action}`,
    method: 'POST',
    path: `${provision}/${of.path}/{id}/${action}`,
    access: `admin.${of.scope}:update`,
    summary,
    params: idParams,
    answer: of.record,
    problems: ['license.record_not_found', 'request.precondition_failed', ...problems],
  } satisfies Contract)
}

const withArticle = (noun: string) => (/^(?!use)[aeiou]/i.test(noun) ? `an ${noun}` : `a ${noun}`)

/** What a body must have, as a sentence says it. */
const requiredOf = (body: TSchema) => {
  const { required = [] } = body as { required?: string[] }
  return required.map((field) => `\`${field}\``).join(' and ')
}
