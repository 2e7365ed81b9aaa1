import { Type } from 'typebox'
import { tagScopes } from './enumerations.ts'
import { Name, OneOf } from './scalars.ts'
import { type FullOf, Patchable, type PatchOf } from './shapes.ts'

const tagColorPattern = '^#[0-9a-fA-F]{6}$'

export const tagFields = {
  scope: OneOf(tagScopes, {
    description:
      'The vocabulary that the tag belongs to: labels for products, for feature catalog entries, or for entitlements and offers. A tag belongs to exactly one and never moves.',
  }),
  name: Name(100, {
    description:
      'The label as people see it. Unique within its scope, letter case aside; the casing written first is kept, and renaming it on the server carries every assignment.',
    examples: ['Beta'],
  }),
  color: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    pattern: tagColorPattern,
    'x-pattern-words': 'must be a colour such as #1a2b3c',
    default: null,
    description: 'The colour of the chip that shows the tag, as #rrggbb; null shows it in the default colour.',
    examples: ['#1a7f37'],
  }),
}
export type Tag = FullOf<typeof tagFields>
export type TagItem = PatchOf<typeof tagFields>
export const TagItem = Patchable(tagFields, ['scope', 'name'], {
  description: 'A free-form label for organising the catalog; it never reaches an entitlement, a token or an end user.',
})
