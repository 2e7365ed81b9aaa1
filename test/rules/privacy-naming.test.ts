import { expect, test } from 'vitest'
import { namerOf } from '../../server/privacy/naming.ts'

const names = namerOf(['ann@x.co'], ['0190'])

test.each([
  { email: 'ann@x.co' },
  { email: 'ANN@X.co' },
  { '/customerContactEmail': 'ann@x.co' },
  { note: 'Write to <ann@x.co>, please.' },
  { note: 'Write to:\nann@x.co' },
  { note: "It is 'ann@x.co'." },
  { note: 'It is ann@x.co.' },
  { list: [{ deep: 'mailto:ann@x.co?subject=1' }] },
  { id: '0190' },
])('%j names her', (document) => {
  expect(names(JSON.stringify(document))).toBe(true)
})

test.each([
  { email: 'joann@x.co' },
  { email: 'jo.ann@x.co' },
  { email: "d'ann@x.co" },
  { email: 'éann@x.co' },
  { email: 'ann@x.com' },
  { email: 'ann@x.co.uk' },
  { email: 'ann@x.co-op' },
  { email: 'ann@xyco' },
  { id: '01901' },
  { 'ann@x.co': 1 },
])('%j does not', (document) => {
  expect(names(JSON.stringify(document))).toBe(false)
})

test('without an address nobody is named by one', () => {
  expect(namerOf([], [])('{"email":"ann@x.co"}')).toBe(false)
})
