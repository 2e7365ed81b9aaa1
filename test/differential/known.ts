import type { Draw } from './draw.ts'

type Json = ReturnType<typeof JSON.parse>

export const noSuchId = '01890000-0000-7000-8000-000000000000'

/** What earlier answers told, in common names: records by the operations that answer them, such as `admin.products`. */
export class Known {
  readonly #records = new Map<string, Map<string, Json>>()
  readonly #gone: string[] = []
  readonly draw: Draw
  constructor(draw: Draw) {
    this.draw = draw
  }

  all(kind: string): Json[] {
    return [...(this.#records.get(kind)?.values() ?? [])]
  }

  /** A record of the kind, rather a late one; undefined where none is known. */
  one(kind: string, isOne: (record: Json) => boolean = () => true): Json | undefined {
    const found = this.all(kind).filter(isOne)
    if (found.length === 0) return undefined
    return this.draw.chance(0.5) ? this.draw.oneOf(found.slice(-3)) : this.draw.oneOf(found)
  }

  /** The id of such a record; now and then one that is gone, or never was, or is that of another kind. */
  id(kind: string, isOne?: (record: Json) => boolean): string | undefined {
    const { draw } = this
    if (draw.chance(0.01)) return noSuchId
    if (draw.chance(0.02) && this.#gone.length > 0) return draw.oneOf(this.#gone)
    if (draw.chance(0.01)) return this.one(draw.oneOf([...this.#records.keys(), kind]))?.id
    return this.one(kind, isOne)?.id
  }

  /** One of the values that a field has in known records of a kind. */
  value(kind: string, field: string, isOne?: (record: Json) => boolean): Json {
    return this.one(kind, isOne)?.[field]
  }

  remember(kind: string, record: Json): void {
    const records = this.#records.get(kind) ?? new Map<string, Json>()
    this.#records.set(kind, records.set(record.id, record))
  }

  forget(id: string): void {
    for (const records of this.#records.values()) if (records.delete(id)) this.#gone.push(id)
  }
}
