import { pathSegment } from '../../../catalog-schema/member-names.ts'
import type { KeysInOrder } from '../../catalog-files/composing.ts'
import { isObject } from '../../json-objects.ts'
import { nearest } from '../../nearest.ts'
import type { Findings } from './findings.ts'

type Mapping = Record<string, unknown>

/** How the numbers and booleans are written whose text is another (`1.10` is not 1.1), by their pointers. */
export type Spellings = ReadonlyMap<string, string>

/** What a price list's value does not tell of how it is written. */
export interface Written {
  spellings?: Spellings
  keysInOrder?: KeysInOrder
}

/** A value of a price list together with where it stands, so that whoever reads it can say what is wrong there. */
export class Place {
  readonly value: unknown
  readonly pointer: string
  readonly subject: string
  readonly #findings: Findings
  readonly #written: Written

  constructor(value: unknown, findings: Findings, written: Written = {}, pointer = '', subject = '') {
    this.value = value
    this.pointer = pointer
    this.subject = subject
    this.#findings = findings
    this.#written = written
  }

  /** Whether nothing is said here: absent, null, or empty. */
  get isEmpty(): boolean {
    const { value } = this
    if (value === undefined || value === null || value === '') return true
    return typeof value === 'object' && Object.keys(value).length === 0
  }

  get isMapping(): boolean {
    return isObject(this.value)
  }

  /** The scalar here as it is written, without quotes. */
  get written(): string {
    return this.#written.spellings?.get(this.pointer) ?? String(this.value)
  }

  warn(message: string): void {
    this.#findings.warnings.push({ pointer: this.pointer, subject: this.subject, message })
  }

  refuse(message: string): void {
    this.#findings.errors.push({ pointer: this.pointer, subject: this.subject, message })
  }

  /** A field of this mapping; an empty place when there is none. */
  field(name: string): Place {
    return this.#inner(name, name)
  }

  /** The members of a mapping from names that the vendor chose, in their order; none, and an error, when it is no mapping. */
  members(): [string, Place][] {
    if (this.isEmpty) return []
    if (!this.isMapping) {
      this.refuse(`"${this.subject}" must be a mapping from names to what they stand for`)
      return []
    }
    const names = this.#written.keysInOrder?.get(this.value as Mapping) ?? Object.keys(this.value as Mapping)
    return names.map((name) => [name, this.#inner(name, '*')])
  }

  /** The elements of a list; none when it is something else. */
  elements(): Place[] {
    return Array.isArray(this.value) ? this.value.map((_, index) => this.#inner(String(index), '*')) : []
  }

  /** The texts of a list; none, and an error, when it is something else. */
  texts(): [string, Place][] {
    if (this.isEmpty) return []
    if (!Array.isArray(this.value)) {
      this.refuse(`"${this.subject}" must be a list of names`)
      return []
    }
    return this.elements().map((place) => [place.written, place])
  }

  /** The text here, numbers and booleans as they are written; null when nothing is said, an error when it is no scalar. */
  text(): string | null {
    if (this.isEmpty) return null
    if (typeof this.value !== 'object') return this.written
    this.refuse(`"${this.subject}" must be text`)
    return null
  }

  /** Warns of every field that says something and is not among those that are read. */
  leaveOutAllBut(...read: string[]): void {
    if (!this.isMapping) return
    for (const name of Object.keys(this.value as Mapping)) {
      if (read.includes(name)) continue
      const place = this.field(name)
      if (place.isEmpty) continue
      const [meant] = nearest(name, read)
      const hint = meant === undefined || this.field(meant).value !== undefined ? '' : ` (or is it "${meant}"?)`
      place.warn(`has no place in a catalog: left out${hint}`)
    }
  }

  #inner(name: string, word: string): Place {
    const holder = this.isMapping || Array.isArray(this.value) ? (this.value as Mapping) : {}
    const value = Object.hasOwn(holder, name) ? holder[name] : undefined
    const subject = this.subject === '' ? word : `${this.subject}.${word}`
    return new Place(value, this.#findings, this.#written, `${this.pointer}/${pathSegment(name)}`, subject)
  }
}
