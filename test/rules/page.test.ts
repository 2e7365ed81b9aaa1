import { expect, test } from 'vitest'
import { offsetOf, PageRefused, parsePageRequest, toPage } from '../../server/kit/page.ts'

test.each<[unknown, number]>([
  [undefined, 25],
  ['', 25],
  ['1', 1],
  ['100', 100],
  ['101', 100],
  ['1000000000', 100],
  ['9223372036854775808', 100],
  ['9'.repeat(400), 100],
  ['007', 7],
  [50, 50],
  [1e9, 100],
  ['0', 0],
  ['-1', 0],
  ['-0', 0],
  [`-${'9'.repeat(400)}`, 0],
  [0, 0],
  [-25, 0],
])('pageSize %s makes pages of %d', (pageSize, size) => {
  expect(parsePageRequest({ pageSize })).toEqual({ pageNumber: 1, pageSize: size })
})

test.each<[string, unknown]>([
  ...[
    'abc',
    '1.5',
    '1e2',
    ' 1',
    '+1',
    '0x10',
    'Infinity',
    'null',
    '١',
    ['1', '2'],
    ['1'],
    1.5,
    Number.NaN,
    null,
    true,
    {},
  ].map((value): [string, unknown] => [JSON.stringify(value), value]),
])('%s is refused as pageNumber and as pageSize', (_shown, value) => {
  for (const name of ['pageNumber', 'pageSize'] as const) {
    const act = () => parsePageRequest({ [name]: value })
    expect(act).toThrow(PageRefused)
    expect(act).toThrow(expect.objectContaining({ pointer: `/${name}` }))
  }
})

test.each(['0', '-1', 0, -1])('%s is no page to begin with', (pageNumber) => {
  expect(() => parsePageRequest({ pageNumber })).toThrow(PageRefused)
})

test('a far page is empty and its offset exact; one beyond 10^12 is refused', () => {
  const far = parsePageRequest({ pageNumber: '1000000000000', pageSize: '100' })
  expect(offsetOf(far)).toBe(99_999_999_999_900)
  expect(toPage([], 7, far.pageNumber, far.pageSize)).toMatchObject({
    hasNextPage: false,
    hasPreviousPage: true,
    totalPages: 1,
  })
  expect(() => parsePageRequest({ pageNumber: '1000000000001' })).toThrow(PageRefused)
  expect(() => parsePageRequest({ pageNumber: '9'.repeat(400) })).toThrow(PageRefused)
})

test.each([
  [0, 1, 25, 0, false, false],
  [25, 1, 25, 1, false, false],
  [26, 1, 25, 2, true, false],
  [26, 2, 25, 2, false, true],
  [26, 3, 25, 2, false, true],
  [26, 1, 0, 0, false, false],
])('of %d items, page %d of %d each', (totalCount, pageNumber, pageSize, totalPages, hasNextPage, hasPreviousPage) => {
  expect(toPage(['x'], totalCount, pageNumber, pageSize)).toStrictEqual({
    items: ['x'],
    pageNumber,
    pageSize,
    totalCount,
    totalPages,
    hasNextPage,
    hasPreviousPage,
  })
})
