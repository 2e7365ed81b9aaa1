import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { paint } from '../../cli/colour.ts'
import { reviewFrame, roomOf } from '../../cli/screens/review/review-frame.ts'
import { reviewItems } from '../../cli/screens/review/review-items.ts'
import { type PressedKey, type ReviewKey, reviewKey } from '../../cli/screens/review/review-keys.ts'
import {
  afterKey,
  firstState,
  type ReviewState,
  type ReviewView,
  settled,
} from '../../cli/screens/review/review-state.ts'
import { displayWidth } from '../../cli/table.ts'

const update = { action: 'update' as const, changes: [{ path: '/name', before: 'Old', after: 'New' }] }
const items = reviewItems(
  {
    items: [
      { kind: 'tag', key: 'tag:Product/Cloud', action: 'create' },
      { kind: 'product', key: 'product:PRO@2', ...update, affects: { entitlements: 1 } },
      { kind: 'product', key: 'product:SAME', action: 'unchanged' },
      { kind: 'feature', key: 'feature:PRO@2/日本\u001b', ...update },
    ],
    onlyHere: [{ kind: 'planSet', key: 'plan-set:A/B', path: '/plans/Old' }],
  },
  { formatVersion: '1.0', tags: [{ scope: 'Product', name: 'Cloud', color: null }] },
  new Map([['product:PRO@2', ['--allow-revalue']]]),
)
const heading = { title: 'Promote staging to production', summary: '1 to create, 2 to update' }
const plain = paint({ isTTY: false }, {})

const viewOf = (more: Partial<ReviewView> = {}): ReviewView => ({
  items,
  nameToType: null,
  missing: [],
  ...roomOf(heading, { columns: 80, rows: 24 }),
  ...more,
})
const named = (name: Exclude<ReviewKey['name'], 'text'>): ReviewKey => ({ name })
const typed = (text: string): ReviewKey => ({ name: 'text', text })
const pressing = (keys: ReviewKey[], view = viewOf(), from: ReviewState = firstState) =>
  keys.reduce((state, key) => afterKey(state, key, view), from)
const drawn = (state: ReviewState, view = viewOf(), size = { columns: 80, rows: 24 }) =>
  reviewFrame(state, view, heading, size, plain)

describe('what is reviewed', () => {
  test('is what is created and changed, then what only the target has', () => {
    expect(items.map(({ sign, label, kind }) => [sign, label, kind])).toEqual([
      ['+', 'tag:Product/Cloud', 'tag'],
      ['~', 'product:PRO@2', 'product'],
      ['~', 'feature:PRO@2/日本\\x1b', 'feature'],
      ['·', 'plan-set:A/B plans/Old', 'plan-set'],
    ])
  })

  test('has the fields of a new item from the snapshot, without those that say nothing', () => {
    expect(items[0]!.fields().map(({ path, after: value }) => [path, value])).toEqual([
      ['/scope', 'Product'],
      ['/name', 'Cloud'],
    ])
  })
})

describe('the cursor', () => {
  const open = named('right')
  test.each<[string, ReviewKey[], { item: number; line: number }]>([
    ['begins at the first item', [], { item: 0, line: 0 }],
    ['moves with the arrows', [named('down'), named('down'), named('up')], { item: 1, line: 0 }],
    ['moves with j and k', [typed('j'), typed('j'), typed('k')], { item: 1, line: 0 }],
    ['moves for each letter of several', [typed('jjk')], { item: 1, line: 0 }],
    ['stops at the first and the last line', [typed('k'), typed('G'), typed('j')], { item: 3, line: 0 }],
    ['goes into an opened item', [open, named('down'), named('down')], { item: 0, line: 2 }],
    ['goes on after an opened item', [open, typed('jjj')], { item: 1, line: 0 }],
    ['goes back to an item that is closed', [open, typed('j'), named('left')], { item: 0, line: 0 }],
    ['closes with the key that opened', [named('enter'), typed('j'), named('enter')], { item: 0, line: 0 }],
    ['stays on its item when a filter leaves it', [typed('j'), named('tab'), named('tab')], { item: 1, line: 0 }],
    ['moves to what a filter leaves', [named('tab'), named('tab')], { item: 1, line: 0 }],
    ['goes by pages', [named('pageDown')], { item: 3, line: 0 }],
  ])('%s', (_name, keys, at) => {
    expect(pressing(keys).at).toEqual(at)
  })

  test('is always within what is shown', () => {
    const view = viewOf({ height: 2 })
    const down = pressing([typed('jj')], view)
    expect(down).toMatchObject({ top: 1, at: { item: 2 } })
    expect(pressing([typed('kk')], view, down)).toMatchObject({ top: 0 })
    expect(settled({ ...down, top: 3 }, viewOf({ height: 10 }))).toMatchObject({ top: 0, at: { item: 2 } })
  })
})

describe('the filter', () => {
  const labels = (keys: ReviewKey[]) =>
    drawn(pressing(keys))
      .filter((line) => /^[> ] [+~·] /.test(line))
      .map((line) => line.slice(4).split('  ')[0])

  test.each<[string, ReviewKey[], string[]]>([
    ['by kind', [named('tab'), named('tab')], ['product:PRO@2']],
    ['by the kind before', [named('backTab')], ['plan-set:A/B plans/Old']],
    [
      'by a text in the key, whatever its case',
      [typed('/'), typed('pro@')],
      ['product:PRO@2', 'feature:PRO@2/日本\\x1b'],
    ],
    ['by a text in the path of a field', [typed('/name')], ['product:PRO@2', 'feature:PRO@2/日本\\x1b']],
    ['by both', [named('tab'), typed('/zz')], []],
    ['by the text that is left of it', [typed('/cloudx'), named('backspace'), named('enter')], ['tag:Product/Cloud']],
  ])('%s', (_name, keys, expected) => {
    expect(labels(keys)).toEqual(expected)
  })

  test('is cleared by Esc, which leaves only when there is none', () => {
    const filtered = pressing([typed('/pro'), named('enter')])
    const cleared = pressing([named('escape')], viewOf(), filtered)
    expect(cleared).toMatchObject({ ending: null, filter: { kind: null, text: '' } })
    expect(pressing([named('escape')], viewOf(), cleared).ending).toBe('left')
    expect(pressing([typed('/pro'), named('escape')])).toMatchObject({
      mode: 'list',
      filter: { text: '' },
      ending: null,
    })
  })

  test('says that nothing fits it', () => {
    expect(drawn(pressing([typed('/zz')])).join('\n')).toContain('nothing fits this filter')
    expect(pressing([typed('/zz'), named('enter'), named('enter'), typed('jk')]).at).toBeNull()
  })
})

describe('the ending', () => {
  const guarded = viewOf({ nameToType: 'production' })
  const missing = viewOf({ missing: ['--allow-retire'] })
  test.each<[string, ReviewKey[], ReviewView, ReviewState['ending']]>([
    ['a approves', [typed('a')], viewOf(), 'approved'],
    ['a among other letters does not', [typed('jak')], viewOf(), null],
    ['a pasted line does not', [typed('a\r')], viewOf(), null],
    ['a does not without what it needs', [typed('a')], missing, null],
    ['q leaves', [typed('q')], viewOf(), 'left'],
    ['Ctrl-C leaves, wherever', [typed('/x'), named('interrupt')], viewOf(), 'left'],
    ['a protected environment asks for its name', [typed('a')], guarded, null],
    ['its name approves', [typed('a'), typed('production'), named('enter')], guarded, 'approved'],
    ['its name pasted with its line break does too', [typed('a'), typed('production\n')], guarded, 'approved'],
    ['another name does not', [typed('a'), typed('Production'), named('enter')], guarded, null],
    ['an empty name does not', [typed('a'), named('enter')], guarded, null],
    ['a q in the name is a letter', [typed('a'), typed('q')], guarded, null],
    ['Esc goes back from the name', [typed('a'), typed('prod'), named('escape')], guarded, null],
    ['Ctrl-C at the name leaves', [typed('a'), typed('production'), named('interrupt')], guarded, 'left'],
    ['any key comes back from the help', [typed('?'), typed('q')], viewOf(), null],
    ['nothing happens after the end', [typed('q'), typed('a')], viewOf(), 'left'],
  ])('%s', (_name, keys, view, ending) => {
    expect(pressing(keys, view).ending).toBe(ending)
  })

  test('is refused with what is missing', () => {
    expect(drawn(pressing([typed('a')], missing), missing).join('\n')).toContain('It needs --allow-retire')
  })
})

test.each<[string, Partial<PressedKey>, ReviewKey | undefined]>([
  ['x', {}, { name: 'text', text: 'x' }],
  ['', { return: true }, { name: 'enter' }],
  ['', { tab: true, shift: true }, { name: 'backTab' }],
  ['c', { ctrl: true }, { name: 'interrupt' }],
  ['d', { ctrl: true }, { name: 'interrupt' }],
  ['z', { ctrl: true }, undefined],
  ['a', { meta: true }, undefined],
  ['', {}, undefined],
])('the key %j %j is %j', (input, pressed, expected) => {
  expect(reviewKey(input, pressed as PressedKey)).toEqual(expected)
})

test('whatever is pressed on whatever size, a frame has the rows of the screen, each within its columns', () => {
  const names = [
    'up',
    'down',
    'left',
    'right',
    'pageUp',
    'pageDown',
    'home',
    'end',
    'enter',
    'tab',
    'backspace',
  ] as const
  const key: fc.Arbitrary<ReviewKey> = fc.oneof(
    fc.constantFrom(...names).map((name) => named(name)),
    fc.constantFrom('j', 'k', 'g', 'G', ' ', '/', '?', 'a', 'pro', '日本').map(typed),
  )
  const size = fc.record({ columns: fc.integer({ min: 20, max: 120 }), rows: fc.integer({ min: 6, max: 40 }) })
  fc.assert(
    fc.property(fc.array(key, { maxLength: 30 }), size, size, (keys, before, now) => {
      const viewAt = (room: typeof before) => viewOf({ nameToType: 'production', ...roomOf(heading, room) })
      const state = settled(pressing(keys, viewAt(before)), viewAt(now))
      const frame = drawn(state, viewAt(now), now)
      expect(frame).toHaveLength(now.rows)
      expect(frame.filter((line) => displayWidth(line) >= now.columns)).toEqual([])
      expect(frame.join('')).not.toMatch(/\p{Cc}/u)
      const isListed = state.at !== null && state.mode !== 'help'
      expect(frame.filter((line) => line.startsWith('>'))).toHaveLength(isListed ? 1 : 0)
    }),
  )
})
