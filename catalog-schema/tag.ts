import { Type } from 'typebox'
import { tagScopes } from './enumerations.ts'
import { Name, OneOf } from './scalars.ts'
import { type FullOf, Patchable, type PatchOf } from './shapes.ts'

export const tagColorPattern = '^#[0-9a-fA-F]{6}$'

export const tagFields = {
  scope: OneOf(tagScopes, { description: 'The vocabulary the tag belongs to; fixed at creation.' }),
  name: Name(100, {
    description: 'Unique within its scope, letter case aside; the first-written casing is kept.',
  }),
  color: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    pattern: tagColorPattern,
    'x-pattern-words': 'must be a colour such as #1a2b3c',
    default: null,
    description: 'The chip colour as #rrggbb; null renders in the default colour.',
  }),
}
export type Tag = FullOf<typeof tagFields>
export type TagItem = PatchOf<typeof tagFields>
export const TagItem = Patchable(tagFields, ['scope', 'name'], {
  description: 'A free-form label for organising the catalog; it never reaches an entitlement, a token or an end user.',
})
