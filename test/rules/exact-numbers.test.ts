import { expect, test } from 'vitest'
import { readJson } from '../../cli/exact-numbers.ts'

test('numbers are written out as they came, whatever a double makes of them', () => {
  for (const number of [
    '1e400',
    '-1.5E+400',
    '1e-400',
    '0.12345678901234567',
    '12345678901234567',
    '12',
    '1e5',
    '-0.5',
  ])
    for (const text of [number, `[${number}]`, `{"a": ${number}, "b":"3e123"}`]) {
      const written = JSON.stringify(readJson(text)).replaceAll(/\s/g, '')
      expect(written).toBe(text.replaceAll(/\s/g, '').replace('1e5', '100000'))
    }
})
