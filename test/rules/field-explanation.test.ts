import { expect, test } from 'vitest'
import { fieldNames, findField, findKind } from '../../catalog-schema/fields.ts'
import { paint } from '../../cli/colour.ts'
import { explanationLines } from '../../cli/screens/field-explanation.ts'

const colours = paint({ isTTY: false }, {})

test.each([40, 80, 100])('an explanation fits %d columns, but for names and values that cannot be cut', (width) => {
  for (const name of fieldNames()) {
    const [word, ...path] = name.split('.')
    const lines = explanationLines(findField(findKind(word!)!, path)!, { colours, width })
    const prose = lines.filter((line) => !/^ {2}(Shape|Required|Default|Example) /.test(line))
    expect(prose.filter((line) => line.length > Math.max(width, 40) && line.includes(' ', 44))).toEqual([])
    expect(lines.join('\n')).not.toContain('undefined')
  }
})

test('what must be given is marked', () => {
  const lines = explanationLines(findField('product', [])!, { colours, width: 80 })
  expect(lines.find((line) => line.includes('productCode'))).toMatch(/productCode \*/)
  expect(lines.find((line) => line.startsWith('  productVersion'))).not.toContain('*')
})
