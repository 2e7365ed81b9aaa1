import { describe, expect, test } from 'vitest'
import { appendItem } from '../../cli/catalog-files/appending.ts'

const item = ['# what it is', '- productCode: NEW', '  # name: x']
const append = (text: string) => appendItem(text, 'products', item)

const cases: [what: string, before: string, after: string][] = [
  ['into an empty file', '', 'products:\n  # what it is\n  - productCode: NEW\n    # name: x\n'],
  [
    'into a list that is empty',
    'tags: []\nproducts: [ ] # none\naddOns: []\n',
    'tags: []\nproducts: # none\n  # what it is\n  - productCode: NEW\n    # name: x\naddOns: []\n',
  ],
  [
    'into one at the end of the file',
    'products: []',
    'products:\n  # what it is\n  - productCode: NEW\n    # name: x\n',
  ],
  [
    'as a section of its own behind others',
    'tags:\n  - { scope: Product, name: A }\n',
    'tags:\n  - { scope: Product, name: A }\n\nproducts:\n  # what it is\n  - productCode: NEW\n    # name: x\n',
  ],
  [
    'behind the last item, at the depth of its dash, before the section that follows',
    'products:\n- productCode: A\n\ntags:\n- scope: Product\n  name: T\n',
    'products:\n- productCode: A\n\n# what it is\n- productCode: NEW\n  # name: x\n\ntags:\n- scope: Product\n  name: T\n',
  ],
  [
    'behind the comments of the last item',
    'products:\n  - productCode: A # the first\n    # status: Draft\n\n# the end\n',
    'products:\n  - productCode: A # the first\n    # status: Draft\n\n  # what it is\n  - productCode: NEW\n    # name: x\n\n# the end\n',
  ],
  [
    'where the file ends without a line break',
    'products:\n  - productCode: A',
    'products:\n  - productCode: A\n\n  # what it is\n  - productCode: NEW\n    # name: x\n',
  ],
  [
    'with the line breaks of the file',
    'products:\r\n  - productCode: A\r\n    description: |\r\n      two\r\n      lines\r\n',
    'products:\r\n  - productCode: A\r\n    description: |\r\n      two\r\n      lines\r\n\r\n  # what it is\r\n  - productCode: NEW\r\n    # name: x\r\n',
  ],
]

describe('an item is put', () => {
  test.each(cases)('%s', (_what, before, after) => expect(append(before)).toBe(after))
})

test.each([
  ['flow style', 'products: [{ productCode: A }]\n'],
  ['a file in flow style', '{ products: [] }\n'],
  ['a section that is no list', 'products: none\n'],
  ['what cannot be read', 'products:\n  - productCode: A\n   name: B\n'],
  ['two documents', 'products:\n  - productCode: A\n---\ntags: []\n'],
  ['JSON', '{"products":[{"productCode":"A"}]}'],
])('nothing is put into %s', (_what, text) => expect(append(text)).toBeUndefined())
