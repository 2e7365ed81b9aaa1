import { describe, expect, test } from 'vitest'
import { readCatalogText } from '../../cli/catalog-files/yaml-reading.ts'
import { expectGrowthBelow } from '../support/growth.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const read = (text: string) => readCatalogText(bytes(text))
const told = (text: string, syntax: 'yaml' | 'json' = 'yaml') =>
  readCatalogText(bytes(text), syntax).refusals.map(({ line, col, message }) => `${line}:${col} ${message}`)
const found = (text: string | Uint8Array, syntax: 'yaml' | 'json' = 'yaml') =>
  readCatalogText(typeof text === 'string' ? bytes(text) : text, syntax).refusals.map(
    (refusal) => `${refusal.line}:${refusal.col} ${refusal.rule}`,
  )

describe('what the accepted subset leaves out is refused at its place', () => {
  const deep = (levels: number) => `a: ${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}`
  const conflict = (ours: string, theirs: string) =>
    `<<<<<<< HEAD\n${ours}\n=======\n${theirs}\n>>>>>>> 1f0c (dearer)\n`
  const table: [name: string, text: string | Uint8Array, expected: string[]][] = [
    ['an anchor and its alias', 'a: &x 1\nb: *x\n', ['1:4 anchor', '2:4 alias']],
    ['an anchor on a mapping', 'a: &x\n  b: 1\n', ['1:4 anchor']],
    ['an alias as a key', 'a: &x b\n*x : 1\n', ['1:4 anchor', '2:1 alias']],
    ['a mapping that contains itself', 'a: &a\n  b: *a\n', ['1:4 anchor', '2:6 alias']],
    ['a tag on a scalar', 'a: !!str 5\n', ['1:4 tag']],
    ['an unknown tag on a list', 'a: !js/evil [1]\n', ['1:4 tag']],
    ['a merge key', 'a:\n  <<: {x: 1}\n', ['2:3 merge-key']],
    ['a key that occurs twice', 'a: 1\nb: 2\na: 3\n', ['3:1 duplicate-key']],
    ['a quoted key that occurs twice', 'a: 1\n"\\x61": 3\n', ['2:1 duplicate-key']],
    ['a key that occurs twice in a flow mapping', 'x: {a: 1, "a": 2}\n', ['1:11 duplicate-key']],
    ['several documents', 'a: 1\n---\nb: 2\n', ['2:1 multiple-documents']],
    ['several documents after an end mark', 'a: 1\n...\n---\nb: 2\n', ['2:1 multiple-documents']],
    ['a directive', '%YAML 1.1\n---\na: 1\n', ['1:1 directive']],
    ['__proto__ as a key', 'a:\n  __proto__: {x: 1}\n', ['2:3 reserved-key']],
    ['a quoted __proto__ as a key', '"__proto__": 1\n', ['1:1 reserved-key']],
    ['a number as a key', 'a:\n  1: x\n', ['2:3 non-string-key']],
    ['a boolean as a key', 'true: x\n', ['1:1 non-string-key']],
    ['null as a key', '~: x\n', ['1:1 non-string-key']],
    ['an empty key', 'a:\n  : x\n', ['2:3 non-string-key']],
    ['a list as a key', '[a]: x\n', ['1:1 complex-key']],
    ['a mapping as a key', '? {a: 1}\n: x\n', ['1:3 complex-key']],
    ['a block scalar as a key', '? |\n  a\n: x\n', ['1:3 complex-key']],
    ['a key on two lines', '? "a\n  b"\n: x\n', ['1:3 complex-key']],
    ['a list at the top', '- a\n', ['1:1 not-a-mapping']],
    ['a text at the top', '\nhello\n', ['2:1 not-a-mapping']],
    ['null at the top', '~\n', ['1:1 not-a-mapping']],
    ['a leading zero', 'a: 012\n', ['1:4 leading-zero']],
    ['a leading zero with a sign', 'a: [-007]\n', ['1:5 leading-zero']],
    ['a fraction with a leading zero', 'a: 01.5\n', ['1:4 leading-zero']],
    ['.nan', 'a: .nan\n', ['1:4 not-finite']],
    ['-.inf', 'a:\n- -.INF\n', ['2:3 not-finite']],
    ['a number too large', 'a: 1e400\n', ['1:4 not-finite']],
    ['a whole number that loses digits', 'a: 9007199254740993\n', ['1:4 lost-digits']],
    ['a fraction that loses digits', 'a: 0.1234567890123456789\n', ['1:4 lost-digits']],
    ['a number too small', 'a: 1e-400\n', ['1:4 lost-digits']],
    ['a hexadecimal number that loses digits', 'a: 0x20000000000001\n', ['1:4 lost-digits']],
    ['a UTF-8 byte order mark', '\uFEFFa: 1\n', ['1:1 byte-order-mark']],
    ['a byte order mark inside', 'a: 1\nb: x\uFEFFy\n', ['2:5 control-character']],
    ['UTF-16, little end first', new Uint8Array([0xff, 0xfe, 0x61, 0, 0x3a, 0]), ['1:1 encoding']],
    ['UTF-16, big end first, unmarked', new Uint8Array([0, 0x61, 0, 0x3a]), ['1:1 encoding']],
    ['Latin-1', new Uint8Array([0x61, 0x3a, 0x20, 0x31, 0x0a, 0x62, 0x3a, 0x20, 0xe4, 0x0a]), ['2:4 encoding']],
    ['an overlong sequence', new Uint8Array([0x61, 0x3a, 0x20, 0xc3, 0xa4, 0xc0, 0x80]), ['1:5 encoding']],
    ['a surrogate in UTF-8', new Uint8Array([0x61, 0x3a, 0xed, 0xa0, 0x80]), ['1:3 encoding']],
    ['a sequence cut short', new Uint8Array([0x61, 0x3a, 0x20, 0xe2, 0x82]), ['1:4 encoding']],
    ['NUL', 'a: 1\nb: x\0y\n', ['2:5 control-character']],
    ['an escape character', 'a: "\u001b[2J"\n', ['1:5 control-character']],
    ['a C1 control in a comment', 'a: 1 # \u009b\n', ['1:8 control-character']],
    ['an escaped NUL', 'a: "x\\0"\n', ['1:4 control-character']],
    ['an escaped half of a surrogate pair', 'a: "\\uD800"\n', ['1:4 lone-surrogate']],
    ['an escape beyond Unicode', 'a: "\\UFFFFFFFF"\n', ['1:4 lone-surrogate']],
    ['a tab as indentation', 'a:\n\tb: 1\n', ['2:1 tab-indentation']],
    ['a tab after blanks', 'a:\n  \tb: 1\n', ['2:3 tab-indentation']],
    ['a tab at the top', '\ta: 1\n', ['1:1 tab-indentation']],
    ['65 levels', deep(65), [`1:${3 + 64} too-deep`]],
    ['20,000 levels', deep(20_000), [`1:${3 + 65} too-deep`]],
    ['a syntax error', 'a: [1\nb: 2\n', ['2:1 syntax']],
    ['a flow collection that ends where its key begins', 'a: [\n  1\n]\n', ['3:1 syntax']],
    ['text after a closing quote', "a:\n- ''b: 1\n", ['2:5 syntax']],
    ['text after a closing bracket', 'a: {x: [1]y: 2}\n', ['1:11 syntax']],
    ['a blank line after an escaped line break', 'a: "x\\\n  \n  y"\n', ['1:4 syntax']],
    ['an unclosed quote', 'a: "x\n', ['1:4 syntax']],
    ['a merge conflict', `a: 1\n${conflict('b: 2', 'b: 3')}`, ['2:1 merge-conflict']],
    ['a merge conflict that YAML would accept', `a: {\n${conflict('b: 2,', 'b: 3,')}c: 1}\n`, ['2:1 merge-conflict']],
    [
      'two merge conflicts, with CR LF',
      `${conflict('b: 2', '')}${conflict('', 'c: 3')}`.replaceAll('\n', '\r\n'),
      ['1:1 merge-conflict', '6:1 merge-conflict'],
    ],
  ]
  test.each(table)('%s', (_name, text, expected) => {
    expect(found(text)).toEqual(expected)
  })

  test('64 levels are accepted', () => {
    expect(found(deep(64))).toEqual([])
  })

  test('everything that one file does wrong is told at once', () => {
    const text = 'a: &x 1\nb: *x\na: 2\nc: 012\n1: d\n<<: {}\ne: !!str 1\n'
    expect(found(text)).toEqual([
      '1:4 anchor',
      '2:4 alias',
      '3:1 duplicate-key',
      '4:4 leading-zero',
      '5:1 non-string-key',
      '6:1 merge-key',
      '7:4 tag',
    ])
  })

  test('refusals of one rule stop growing at 200, and hide none of another', () => {
    const rules = found('a: [012, *x]\n'.replace('012', `${'012, '.repeat(5_000)}1`)).map((one) => one.split(' ')[1])
    expect([rules.length, rules.at(-1)]).toEqual([201, 'alias'])
  })

  test('marks of a merge conflict that stand inside a text or alone are text', () => {
    expect(found('a: |\n  <<<<<<< HEAD\n  x\n  =======\n  y\n  >>>>>>> z\nb: "<<<<<<< HEAD"\n')).toEqual([])
    expect(found('# <<<<<<< HEAD\n{a: "x\n=======\n>>>>>>> y"}\n')).toEqual([])
  })

  test('a message says what to do', () => {
    expect(read('a: 1\na: 2\n').refusals[0]!.message).toContain('first in line 1')
    expect(read('x: [012]\n').refusals[0]!.message).toContain("write 12, or '012' for text")
    expect(read('1: x\n').refusals[0]!.message).toContain("quote it: '1'")
  })

  test.each([
    ["a: 1\nb: 'A\nname: A\n", 2, 4, 'line 3, which is not indented deeper'],
    ['a:\n  - b: "A \\" \n\n    name: "B"\n', 2, 8, 'line 4, which'],
    ["a: [x, '''tis\n", 1, 8, 'no closing quote.'],
    ["a: it's\nb: 'A ''B''\n", 2, 4, 'no closing quote.'],
    ['a: "A', 1, 4, 'no closing quote.'],
    ["a: 'x\n---\nb: 1\n", 1, 4, 'line 2, which'],
    ["name: Bob's: the best\n", 1, 12, 'a text with ": " in it stands between quotes'],
    ['a: 1\ndescription: a: b\n', 2, 15, 'a text with ": " in it stands between quotes'],
    ['name: @foo\n', 1, 7, 'a text that begins with @ stands between quotes'],
    ['tags:\n  - `foo`\n', 2, 5, 'a text that begins with ` stands between quotes'],
    ['name: %foo\n', 1, 7, 'a text that begins with % stands between quotes'],
    ['a: [\nb\n]\n', 2, 1, 'what goes on here must be indented deeper'],
    ['a: x\n  - b: c\n', 2, 6, 'bad indentation of a mapping entry'],
  ])('%j is told where it went wrong', (text, line, col, said) => {
    expect(told(text)).toEqual([expect.stringContaining(said)])
    expect(told(text)[0]).toMatch(new RegExp(`^${line}:${col} This is not YAML: `))
  })

  test('a name that objects inherit is a key like any other', () => {
    const text = '{"constructor": {"prototype": 1, "toString": 2}, "a": {"hasOwnProperty": [3]}}'
    expect(found(text)).toEqual([])
    expect(read(text).value).toEqual(JSON.parse(text))
    expect(found('constructor: 1\nconstructor: 2\n')).toEqual(['2:1 duplicate-key'])
  })

  test('a reserved key changes no prototype', () => {
    read('__proto__: {polluted: true}\na: {constructor: {prototype: {polluted: true}}}\n')
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  test('an alias bomb is refused and never expanded', () => {
    const bomb = Array.from({ length: 40 }, (_, i) => `k${i}: &k${i} [${`*k${Math.max(0, i - 1)}, `.repeat(9)}]`).join(
      '\n',
    )
    expect(found(bomb)).toContain('1:5 anchor')
  })

  const heavy: [name: string, textOf: (length: number) => string][] = [
    ['blank lines', (length) => '\n'.repeat(length)],
    ['blanks in a list', (length) => `a: [${' \n'.repeat(length / 2)}]`],
    ['comments in a list', (length) => `a: [${' # x\n'.repeat(length / 5)}]`],
    ['numbers to refuse', (length) => `a: [${'99999999999999999999,'.repeat(length / 20)}]`],
    [
      'keys that occur twice',
      (length) => Array.from({ length: length / 10 }, (_, index) => `k${index % (length / 20)}: 1`).join('\n'),
    ],
    ['open brackets', (length) => '['.repeat(length)],
    ['quotes', (length) => `a: ${"''".repeat(length / 2)}`],
  ]
  test.each(heavy)('many characters of %s are read in time that grows with their number', (_name, textOf) => {
    const readWhole = (length: number) => {
      const text = textOf(length)
      return () => {
        const reading = read(text)
        reading.findReworded()
        reading.locate('/a/100')
      }
    }
    // 32 times the length: about 32 when linear, and up to 90 with what memory costs; 1,024 when quadratic.
    expectGrowthBelow(180, readWhole(6_250), readWhole(200_000))
  })

  test('a file over 64 MiB is refused before it is parsed', () => {
    expect(found(new Uint8Array(64 * 1024 * 1024 + 1).fill(0x20))).toEqual(['1:1 too-large'])
  })
})

describe('scalars are typed by the core schema', () => {
  const table: [text: string, expected: unknown][] = [
    ['', null],
    ['~', null],
    ['null', null],
    ['Null', null],
    ['nULL', 'nULL'],
    ['true', true],
    ['FALSE', false],
    ['no', 'no'],
    ['on', 'on'],
    ['y', 'y'],
    ['0', 0],
    ['-5', -5],
    ['+5', 5],
    ['1.10', 1.1],
    ['.5', 0.5],
    ['5.', 5],
    ['1e3', 1000],
    ['0x10', 16],
    ['0o14', 12],
    ['0b11', '0b11'],
    ['1_000', '1_000'],
    ['1:30', '1:30'],
    ['2024-01-01', '2024-01-01'],
    ['1.2.3', '1.2.3'],
    ['.', '.'],
    ['+', '+'],
    ["'1.10'", '1.10'],
    ['"a\\tb"', 'a\tb'],
    ["'it''s'", "it's"],
    ['9007199254740992', 9007199254740992],
    ['1.7976931348623157e308', Number.MAX_VALUE],
  ]
  test.each(table)('%s', (text, expected) => {
    const reading = read(`a: ${text}\n`)
    expect(reading.refusals).toEqual([])
    expect(reading.value).toStrictEqual({ a: expected })
  })

  test('an empty file, and one of comments, is an empty mapping', () => {
    for (const text of ['', '\n', '# nothing here\n', '---\n']) {
      expect(read(text).refusals).toEqual([])
      expect(read(text).value).toEqual({})
    }
  })
})

describe('places', () => {
  const text = [
    '# first', // 1
    'products:', // 2
    '  - code: A', // 3
    '    version: 1.10', // 4
    '    \'a/b~\': "x\\ty"', // 5
    '    note: | # why', // 6
    '      one', // 7
    '      two', // 8
    '', // 9
    '    empty:', // 10
    '    list: [1, {y: 2 }, ]  # end', // 11
    '  -', // 12
    'tags: []', // 13
  ].join('\n')
  const table: [pointer: string, value: string, key: string | undefined, source: string][] = [
    ['', '2:1-13:9', undefined, text.slice(8)],
    ['/products/0/code', '3:11-3:12', '3:5-3:9', 'A'],
    ['/products/0/version', '4:14-4:18', '4:5-4:12', '1.10'],
    ['/products/0/a~1b~0', '5:13-5:19', '5:5-5:11', '"x\\ty"'],
    ['/products/0/note', '6:11-8:10', '6:5-6:9', '| # why\n      one\n      two'],
    ['/products/0/empty', '10:5-10:10', '10:5-10:10', ''],
    ['/products/0/list', '11:11-11:25', '11:5-11:9', '[1, {y: 2 }, ]'],
    ['/products/0/list/1', '11:15-11:22', undefined, '{y: 2 }'],
    ['/products/0/list/1/y', '11:19-11:20', '11:16-11:17', '2'],
    ['/products/1', '12:3-12:4', undefined, '-'],
    ['/tags', '13:7-13:9', '13:1-13:5', '[]'],
  ]
  test.each(table)('the node of %s', (pointer, value, key, source) => {
    for (const lineBreak of ['\n', '\r\n']) {
      const reading = readCatalogText(bytes(text.replaceAll('\n', lineBreak)))
      const located = reading.locate(pointer)
      const show = (span: typeof located.value) => `${span.line}:${span.col}-${span.endLine}:${span.endCol}`
      expect(show(located.value)).toBe(value)
      expect(located.key && show(located.key)).toBe(key)
      expect(reading.sourceOf(pointer)).toBe(source.replaceAll('\n', lineBreak))
    }
  })

  test('scalars that read as something they are not written as are found', () => {
    const reading = read(
      'a: 1.10\nb:\n  - {c: TRUE, "d/e": [1, 0x1F, true]}\n  - +5\n\'f\': {g: {}, h: 1e3}\n1.0x: 2.0\ni: "1.10"\n',
    )
    expect(reading.refusals).toEqual([])
    expect(reading.findReworded()).toEqual(['/a', '/b/0/c', '/b/0/d~1e/1', '/b/1', '/f/h', '/1.0x'])
  })

  test('a node that is not there is placed at its nearest ancestor', () => {
    const located = read(text).locate('/products/0/list/7/x')
    expect([located.found, located.value.line, located.value.col]).toEqual([false, 11, 11])
    expect(read(text).sourceOf('/products/0/missing')).toBeUndefined()
  })
})

describe('JSON', () => {
  test('a key that occurs twice is refused though JSON.parse takes it', () => {
    expect(found('{"a": 1,\n "a": 2}', 'json')).toEqual(['2:2 duplicate-key'])
  })
  test('what RFC 8259 allows between quotes is read, though YAML calls it not printable', () => {
    const text = 'a\u007fb\u0085c\u009fd\u2028e\uFEFFf\uFFFEg\uFFFFh'
    const reading = readCatalogText(bytes(JSON.stringify({ [text]: [text, 1] })), 'json')
    expect(reading.refusals).toEqual([])
    expect(reading.value).toEqual({ [text]: [text, 1] })
    expect(found('{"a": "x\u001by"}', 'json')).toEqual(['1:9 control-character'])
    expect(found('{"a": 1\u007f}', 'json')).not.toEqual([])
    expect(found('{"a": \uFEFF1}', 'json')).not.toEqual([])
  })
  test.each([
    ['{"a" 1}', "1:6 This is not JSON: expected ':' after property name."],
    ['{"a": [1,\n', '1:10 This is not JSON: it ends too early.'],
    ['{"a": 1} x', '1:10 This is not JSON: unexpected non-whitespace character after JSON.'],
    ['', '1:1 An empty file is not JSON; write {}, or remove the file.'],
    [' \n', '1:1 An empty file is not JSON; write {}, or remove the file.'],
  ])('%j is told to be no JSON', (text, said) => expect(told(text, 'json')).toEqual([said]))
  test('YAML in a JSON file is refused', () => {
    expect(found('{"a": 1,}', 'json')).toEqual(['1:9 not-json'])
    expect(found('a: 1\n', 'json')).toEqual(['1:1 not-json'])
  })
})
