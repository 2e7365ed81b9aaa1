import { type TSchema, Type } from 'typebox'

/** The query parameters of every collection. */
export const pageQuery = Type.Object(
  {
    pageNumber: Type.Optional(Type.Unsafe<string | number>({ type: ['integer', 'string'], description: 'From 1.' })),
    pageSize: Type.Optional(
      Type.Unsafe<string | number>({ type: ['integer', 'string'], description: 'At most 100; more is read as 100.' }),
    ),
    filter: Type.Optional(Type.String({ description: 'A Sieve filter, such as `Name@=*cad,Status==Published`.' })),
    sortOrder: Type.Optional(Type.String({ description: 'Fields, comma-separated; `-Field` descends.' })),
  },
  { additionalProperties: false },
)

/** The paginated envelope around items of one shape. */
export const pageOf = <S extends TSchema>(item: S) =>
  Type.Object({
    items: Type.Array(item),
    pageNumber: Type.Integer(),
    pageSize: Type.Integer(),
    totalCount: Type.Integer(),
    totalPages: Type.Integer(),
    hasNextPage: Type.Boolean(),
    hasPreviousPage: Type.Boolean(),
  })
