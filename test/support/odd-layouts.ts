import { type Kind, kinds, sectionOf } from '../../catalog-schema/order.ts'
import type { Snapshot } from '../../catalog-schema/snapshot.ts'
import { createDraws } from './draws.ts'

/** A file as somebody may have laid it out by hand. */
export interface OddFile {
  name: string
  text: string
}

type Chance = (one: number) => boolean
interface Dice {
  /** True once in so many throws. */
  oneIn: Chance
  pick<T>(from: readonly T[]): T
}

/** Throws of dice that are the same for the same seed. */
export function createDice(seed: number): Dice {
  const next = createDraws(seed)
  return { oneIn: (one) => next() * one < 1, pick: (from) => from[Math.floor(next() * from.length)]! }
}

/**
 * A catalog in files that nobody but a person would write: sections split among files and in any order, keys in any
 * order, block and flow, every quoting, comments and blank lines everywhere, CR LF, no last line break, JSON too.
 */
export function layOutOddly(snapshot: Snapshot, seed: number): OddFile[] {
  const dice = createDice(seed)
  const contents = new Map<string, Map<string, unknown[]>>()
  const names = ['a.yaml', 'deep/b.yml', 'c.json'].filter((_, index) => index === 0 || dice.oneIn(2))
  for (const kind of shuffled<Kind>(kinds, dice))
    for (const item of shuffled(snapshot[sectionOf[kind]] ?? [], dice)) {
      const name = dice.pick(names)
      const file = contents.get(name) ?? new Map<string, unknown[]>()
      contents.set(name, file)
      file.set(sectionOf[kind], [...(file.get(sectionOf[kind]) ?? []), item])
    }
  return [...contents].map(([name, sections]) => {
    const content = Object.fromEntries(sections)
    return { name, text: name.endsWith('.json') ? oddJson(content, dice) : oddYaml(content, dice) }
  })
}

function shuffled<T>(list: readonly T[], dice: Dice): T[] {
  const left = [...list]
  return list.map(() => left.splice(left.indexOf(dice.pick(left)), 1)[0]!)
}

function oddJson(content: object, dice: Dice): string {
  const text = JSON.stringify(content, null, dice.pick([0, 1, 2, 4, '\t'])).replace(
    /[\x7f-\x9f\ufeff\ufffe\uffff]/g,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return (dice.oneIn(3) ? text.replaceAll('\n', '\r\n') : text) + dice.pick(['', '\n', '\n\n'])
}

/** A document in YAML, its lines ended and commented in odd ways. */
function oddYaml(content: object, dice: Dice): string {
  const writer = new OddWriter(dice)
  writer.fileHead()
  writer.mapping(content as Record<string, unknown>, 0)
  writer.comments(0)
  const text = writer.lines.join('\n')
  const ended = dice.oneIn(4) && !/\s$/.test(text) ? text : `${text}\n`
  return dice.oneIn(4) ? ended.replaceAll('\n', '\r\n') : ended
}

class OddWriter {
  readonly lines: string[] = []
  readonly #dice: Dice
  readonly #step: number
  readonly #listStep: number
  readonly #gap: string
  #comments = 0

  constructor(dice: Dice) {
    this.#dice = dice
    this.#step = dice.pick([2, 2, 3, 4])
    this.#listStep = dice.pick([0, 2, 2, 4])
    this.#gap = dice.pick(['- ', '- ', '-   '])
  }

  fileHead(): void {
    if (this.#dice.oneIn(3)) this.lines.push('# yaml-language-server: $schema=../x.json')
    if (this.#dice.oneIn(4)) this.lines.push(this.#comment(), '')
    if (this.#dice.oneIn(8)) this.lines.push('---')
  }

  comments(column: number): void {
    while (this.#dice.oneIn(4))
      this.lines.push(
        this.#dice.oneIn(3) ? this.#dice.pick(['', '', ' '.repeat(column)]) : pad(column) + this.#comment(),
      )
  }

  #comment(): string {
    const words = this.#dice.pick(['', ': "a', " it's [", ' - x', '# #', ' {', ' \u00fc \ud83c\udf89'])
    return `#${this.#dice.pick([' ', '', '  '])}c${++this.#comments}${words}`
  }

  #behind(): string {
    return this.#dice.oneIn(5)
      ? `${this.#dice.pick([' ', '  ', '      '])}${this.#comment()}`
      : this.#dice.pick(['', '', '', ' '])
  }

  mapping(fields: Record<string, unknown>, column: number, first = ''): void {
    const names = this.#dice.oneIn(2) ? Object.keys(fields) : shuffled(Object.keys(fields), this.#dice)
    for (const [index, name] of names.entries()) {
      const isFirst = index === 0 && first !== ''
      if (!isFirst) this.comments(column)
      this.#entry((isFirst ? first : pad(column)) + this.#key(name), fields[name], column)
    }
    if (names.length > 0 && this.#dice.oneIn(6)) this.lines.push(pad(column) + this.#comment())
  }

  #key(name: string): string {
    const plain = isPlain(name) ? [name, name, name] : []
    return `${this.#dice.pick([...plain, JSON.stringify(name), ...quoted(name)])}${this.#dice.pick(['', '', '', ' '])}:`
  }

  #entry(start: string, value: unknown, column: number): void {
    if (Array.isArray(value) && value.length > 0 && !this.#dice.oneIn(5)) {
      this.lines.push(start + this.#behind())
      this.#list(value, column + this.#listStep)
    } else if (isFields(value) && Object.keys(value).length > 0 && !this.#dice.oneIn(5)) {
      this.lines.push(start + this.#behind())
      if (this.#dice.oneIn(6)) this.comments(column + this.#step)
      this.mapping(value, column + this.#step)
    } else this.#inline(start, value, column)
  }

  #list(list: readonly unknown[], column: number): void {
    for (const entry of list) {
      this.comments(column)
      if (isFields(entry) && Object.keys(entry).length > 0 && !this.#dice.oneIn(5)) {
        if (this.#dice.oneIn(8)) {
          this.lines.push(`${pad(column)}-${this.#behind()}`)
          this.mapping(entry, column + this.#gap.length)
        } else this.mapping(entry, column + this.#gap.length, pad(column) + this.#gap)
      } else this.#inline(`${pad(column)}-`, entry, column)
    }
    if (this.#dice.oneIn(6)) this.lines.push(pad(column) + this.#comment())
  }

  #inline(start: string, value: unknown, column: number): void {
    if (value === null && this.#dice.oneIn(3)) this.lines.push(start + this.#behind())
    else if (typeof value === 'string' && this.#dice.oneIn(3) && isBlockText(value)) this.#block(start, value, column)
    else if (typeof value === 'object' && value !== null && this.#dice.oneIn(3))
      this.#wideFlow(`${start} `, value, column + 1)
    else this.lines.push(`${start}${this.#dice.pick([' ', ' ', '   '])}${this.#flow(value, false)}${this.#behind()}`)
  }

  #block(start: string, value: string, column: number): void {
    const isFolded = this.#dice.oneIn(2) && !/^[ \t]|\n[ \t]|\n\n/.test(value)
    const chomping = value.endsWith('\n') ? this.#dice.pick(['', '', '+']) : '-'
    this.lines.push(`${start} ${isFolded ? '>' : '|'}${chomping}${this.#dice.oneIn(5) ? ` ${this.#comment()}` : ''}`)
    const body = value.endsWith('\n') ? value.slice(0, -1) : value
    const content = isFolded ? body.replaceAll('\n', '\n\n').replace(/(\w) (\w)/g, '$1\n$2') : body
    for (const line of content.split('\n')) this.lines.push(line === '' ? '' : pad(column + this.#step) + line)
  }

  /** A flow collection on one line. */
  #flow(value: unknown, isInside: boolean): string {
    const space = this.#dice.pick(['', ' '])
    const comma = this.#dice.pick([', ', ',  '])
    if (Array.isArray(value))
      return `[${space}${value.map((entry) => this.#flow(entry, true)).join(comma)}${value.length > 0 ? space : ''}]`
    if (isFields(value)) {
      const entries = Object.entries(value).map(
        ([name, field]) => `${JSON.stringify(name)}: ${this.#flow(field, true)}`,
      )
      return `{${space}${entries.join(comma)}${entries.length > 0 ? space : ''}}`
    }
    return this.#scalar(value as null | boolean | number | string, isInside)
  }

  /** A flow collection over several lines, with comments and maybe a comma at its end. */
  #wideFlow(start: string, value: object, column: number): void {
    const isList = Array.isArray(value)
    const entries = Object.entries(value).map(([name, field]) =>
      isList ? this.#flow(field, true) : `${JSON.stringify(name)}: ${this.#flow(field, true)}`,
    )
    this.lines.push(`${start}${isList ? '[' : '{'}${this.#behind()}`)
    for (const [index, entry] of entries.entries()) {
      this.comments(column + 1)
      const comma = index < entries.length - 1 || this.#dice.oneIn(3) ? ',' : ''
      this.lines.push(`${pad(column + this.#step)}${entry}${comma}${this.#behind()}`)
    }
    this.comments(column)
    this.lines.push(`${pad(column)}${isList ? ']' : '}'}${this.#behind()}`)
  }

  #scalar(value: null | boolean | number | string, isInside: boolean): string {
    if (value === null) return this.#dice.pick(['null', '~', 'Null'])
    if (typeof value !== 'string') return Object.is(value, -0) ? '-0' : String(value)
    const double = JSON.stringify(value).replace(
      /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g,
      (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
    const plain = isPlain(value) && !(isInside && /[,[\]{}]/.test(value)) ? [value, value] : []
    return this.#dice.pick([...plain, double, ...quoted(value)])
  }
}

const pad = (column: number) => ' '.repeat(column)
const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isPlain = (text: string) =>
  /^[A-Za-z][\w ./%@~-]*\w$/.test(text) && !/^(?:true|false|null|yes|no|on|off)$/i.test(text)
const isPrintable = (text: string) => !/[^\P{Cc}\n]|[\u2028\u2029\ufeff\ufffe\uffff]/u.test(text)
const quoted = (text: string) => (isPrintable(text) && !text.includes('\n') ? [`'${text.replaceAll("'", "''")}'`] : [])
const isBlockText = (text: string) => isPrintable(text) && /^[^\s]/.test(text) && !/\n\n$|[ \t]\n|[ \t]$/.test(text)
