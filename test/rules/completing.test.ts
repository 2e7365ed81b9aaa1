import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { topics } from '../../cli/commands/index.ts'
import { complete, type ListValues, type Surface } from '../../cli/completion/completing.ts'
import { bashInsertion } from '../../cli/completion/quoting.ts'
import { readTypedLine } from '../../cli/completion/typed-line.ts'
import { commandManifest } from '../../cli/manifest.ts'

const surface = { commands: await commandManifest(), topics } as Surface
const nameSource: ListValues = async (source) =>
  typeof source === 'object' ? source.options.map((value) => ({ value })) : [{ value: `<${source}>` }]

async function offered(line: string) {
  const words = line.split(' ')
  const { paths, candidates } = await complete(surface, words.slice(0, -1), words.at(-1)!, nameSource)
  return { paths, values: candidates.map(({ value }) => value) }
}

const facts: Record<string, { name: string; char?: string; allowNo?: boolean; type: string }> = JSON.parse(
  readFileSync(new URL('../facts/commands.json', import.meta.url), 'utf8'),
)
const flags = Object.entries(facts).flatMap(([line, flag]) => {
  const [, command, name] = /^(.*) --(\S+)$/.exec(line) ?? []
  return command && name ? [{ command, name, flag }] : []
})

describe('what is offered', () => {
  test('holds every flag of every command, by its beginning too', async () => {
    expect(flags.length).toBeGreaterThan(100)
    for (const { command, name, flag } of flags) {
      expect((await offered(`${command} -`)).values, `${command} --${name}`).toContain(`--${name}`)
      expect((await offered(`${command} --${name.slice(0, 2)}`)).values).toContain(`--${name}`)
      if (flag.char) expect((await offered(`${command} -`)).values).toContain(`-${flag.char}`)
      if (flag.allowNo) expect((await offered(`${command} --no`)).values).toContain(`--no-${name}`)
    }
  })

  test('leads to every command, word by word', async () => {
    const commands = Object.keys(facts).filter((line) => !line.includes(' --'))
    for (const command of commands) {
      const words = command.split(' ')
      for (const [at, word] of words.entries())
        expect((await offered([...words.slice(0, at), word.slice(0, 2)].join(' '))).values, command).toContain(word)
    }
  })

  test.each([
    ['catalog diff --format ', ['pretty', 'json', 'markdown', 'github']],
    ['catalog diff --format=ma', ['--format=markdown']],
    ['--json catalog diff --format=js', ['--format=json']],
    ['catalog diff --env ', ['<environment>']],
    ['catalog diff -e ', ['<environment>']],
    ['catalog diff --env=', ['--env=<environment>']],
    ['catalog diff --from ', ['<side>']],
    ['catalog promote --from ', ['<environment>']],
    ['catalog promote --to ', ['<environment>']],
    ['catalog promote --confirm ', ['<environment>']],
    ['catalog import --only ', ['<key>']],
    ['catalog plan --exclude=', ['--exclude=<key>']],
    ['catalog explain ', ['<field>']],
    ['catalog new ', ['<kind>']],
    ['env use ', ['<environment>']],
    ['env check ', ['<environment>']],
    ['completion ', ['bash', 'zsh', 'fish']],
    ['help catalog ex', ['explain', 'export']],
    ['xyzzy ', []],
  ])('after "%s"', async (line, values) => {
    expect((await offered(line)).values).toEqual(values)
  })

  test.each([
    ['catalog validate ', 'files'],
    ['catalog apply ', 'files'],
    ['catalog convert a.yml ', 'files'],
    ['env add x --client-secret-file ', 'files'],
    ['catalog plan --out ', 'files'],
    ['catalog new product --file ', 'files'],
    ['catalog convert --out ', 'directories'],
    ['env add ', 'none'],
    ['catalog diff --en', 'none'],
  ])('paths after "%s": %s', async (line, paths) => {
    expect((await offered(line)).paths).toBe(paths)
  })

  test('a flag once given is not offered again, unless it may be repeated', async () => {
    expect((await offered('catalog import --yes --')).values).not.toContain('--yes')
    expect((await offered('catalog import --only product:* --')).values).toContain('--only')
  })

  test('nothing is a flag behind --', async () => {
    expect((await offered('catalog validate -- --fo')).values).not.toContain('--format')
  })

  test('whatever is typed has an answer', async () => {
    const words = fc.array(
      fc.oneof(fc.constantFrom('catalog', 'diff', '--env', '-e', '--', '--format=', 'env'), fc.string()),
    )
    await fc.assert(
      fc.asyncProperty(words, fc.string(), async (typed, current) => {
        expect((await complete(surface, typed, current, nameSource)).candidates).toBeInstanceOf(Array)
      }),
    )
  })
})

describe('a line as bash reads it', () => {
  test.each([
    ['licet a b', { words: ['licet', 'a'], current: 'b', quote: '', kept: 0 }],
    ['licet a ', { words: ['licet', 'a'], current: '', quote: '', kept: 0 }],
    ['licet  --env=st', { words: ['licet'], current: '--env=st', quote: '', kept: 6 }],
    ['licet product:A', { words: ['licet'], current: 'product:A', quote: '', kept: 8 }],
    ['licet a\\ b\\:c', { words: ['licet'], current: 'a b:c', quote: '', kept: 0 }],
    ['licet "a b', { words: ['licet'], current: 'a b', quote: '"', kept: 0 }],
    ["licet --only='x:y", { words: ['licet'], current: '--only=x:y', quote: "'", kept: 7 }],
    ['licet "a\\"b" c', { words: ['licet', 'a"b'], current: 'c', quote: '', kept: 0 }],
    ['licet a\\', { words: ['licet'], current: 'a', quote: '', kept: 0 }],
    ['licet ""', { words: ['licet'], current: '', quote: '', kept: 0 }],
  ])('%s', (line, expected) => expect(readTypedLine(line, ':=')).toEqual(expected))
})

test('what is put into a line is, to a real bash, the very value and nothing more', () => {
  const texts = fc.sample(fc.string({ unit: 'grapheme', minLength: 1 }), { numRuns: 300, seed: 7 })
  const nasty = [
    '$(exit 3)',
    '`exit 3`',
    '; exit 3',
    '~',
    '~root',
    '#x',
    '*',
    '{a,b}',
    "it's",
    'a"b',
    '!!',
    '\\',
    '&',
    '|',
    '>x',
    '-',
  ]
  const values = [...texts, ...nasty].filter((value) => !/[\p{Cc}\p{Cs}]/u.test(value))
  const forms = values.flatMap((value) => [
    bashInsertion(value, { quote: '', kept: 0 }),
    `"${bashInsertion(value, { quote: '"', kept: 0 })}"`,
    `'${bashInsertion(value, { quote: "'", kept: 0 })}'`,
  ])
  const script = `set -f +H\nprintf '%s\\0' ${forms.join(' ')}`
  const out = execFileSync('bash', ['--norc', '-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1)
  expect(out).toEqual(values.flatMap((value) => [value, value, value]))
})
