import { displayWidth } from '../../cli/table.ts'

type Cells = string[][]

/** What follows an escape: a control sequence, a title and its end, a character set, a single letter. */
const afterEscape = /\[([?>=]?)([\d;]*)([a-zA-Z])|\][^\p{Cc}]*\p{Cc}\\?|[()][A-Z0-9]|[78=>M]/uy

/** What a person sees on a terminal: the text on a grid, moved, erased and switched as the escape sequences say (ECMA-48). */
export class TerminalScreen {
  /** Whether a program has a screen of its own. */
  isAlternate = false
  isCursorShown = true
  columns: number
  rows: number
  #cells: Cells = []
  #primary: { cells: Cells; row: number; column: number } | null = null
  #row = 0
  #column = 0
  #rest = ''

  constructor(columns: number, rows: number) {
    this.columns = columns
    this.rows = rows
  }

  lines(): string[] {
    return Array.from({ length: this.rows }, (_, row) => (this.#cells[row] ?? []).join('').trimEnd())
  }

  text(): string {
    return this.lines().join('\n')
  }

  resize(columns: number, rows: number) {
    this.columns = columns
    this.rows = rows
  }

  write(text: string) {
    const all = this.#rest + text
    let at = 0
    while (at < all.length) {
      if (all[at] === '\u001b') {
        afterEscape.lastIndex = at + 1
        const found = afterEscape.exec(all)
        if (!found) break
        if (found[3] !== undefined) this.#obey(found[1]!, found[2]!, found[3])
        at = afterEscape.lastIndex
        continue
      }
      const next = all.indexOf('\u001b', at)
      const plain = all.slice(at, next === -1 ? undefined : next)
      for (const { segment } of new Intl.Segmenter().segment(plain)) this.#put(segment)
      at += plain.length
    }
    this.#rest = all.slice(at)
  }

  #put(segment: string) {
    if (segment === '\r\n' || segment === '\n') {
      if (segment === '\r\n') this.#column = 0
      this.#lineFeed()
    } else if (segment === '\r') this.#column = 0
    else if (segment === '\b') this.#column = Math.max(0, this.#column - 1)
    else if (segment >= ' ' && segment !== '\u007f') {
      const width = displayWidth(segment)
      if (this.#column + width > this.columns) {
        this.#column = 0
        this.#lineFeed()
      }
      const row = this.#rowAt(this.#row)
      while (row.length < this.#column) row.push(' ')
      row[this.#column] = segment
      if (width === 2) row[this.#column + 1] = ''
      this.#column += width
    }
  }

  #rowAt(index: number): string[] {
    while (this.#cells.length <= index) this.#cells.push([])
    return this.#cells[index]!
  }

  #lineFeed() {
    if (this.#row < this.rows - 1) this.#row++
    else this.#cells.shift()
  }

  #obey(mark: string, numbers: string, final: string) {
    if (mark === '?') return this.#switch(numbers, final === 'h')
    const [first = 0, second = 0] = numbers.split(';').map(Number)
    const by = Math.max(1, first)
    if (final === 'A') this.#row = Math.max(0, this.#row - by)
    if (final === 'B') this.#row = Math.min(this.rows - 1, this.#row + by)
    if (final === 'C') this.#column = Math.min(this.columns - 1, this.#column + by)
    if (final === 'D') this.#column = Math.max(0, this.#column - by)
    if (final === 'E') [this.#row, this.#column] = [Math.min(this.rows - 1, this.#row + by), 0]
    if (final === 'G') this.#column = by - 1
    if (final === 'H') [this.#row, this.#column] = [by - 1, Math.max(1, second) - 1]
    if (final === 'K') this.#eraseInLine(first)
    if (final === 'J') {
      if (first === 0) this.#eraseInLine(0)
      this.#cells.length = Math.min(this.#cells.length, first === 0 ? this.#row + 1 : 0)
    }
  }

  #eraseInLine(how: number) {
    const row = this.#rowAt(this.#row)
    if (how === 0) row.length = Math.min(row.length, this.#column)
    else if (how === 1) row.fill(' ', 0, this.#column + 1)
    else row.length = 0
  }

  #switch(mode: string, isOn: boolean) {
    if (mode === '25') this.isCursorShown = isOn
    if (mode !== '1049' || isOn === this.isAlternate) return
    this.isAlternate = isOn
    if (isOn) {
      this.#primary = { cells: this.#cells, row: this.#row, column: this.#column }
      this.#cells = []
    } else if (this.#primary) {
      this.#cells = this.#primary.cells
      this.#row = this.#primary.row
      this.#column = this.#primary.column
    }
  }
}
