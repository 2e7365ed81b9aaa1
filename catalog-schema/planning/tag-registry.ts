import type { CatalogModel } from '../model.ts'

/** The tags of a catalog in the making, by vocabulary and by every casing in which they are written. */
export class TagRegistry {
  readonly #catalog: CatalogModel
  readonly #known = new Map<string, Map<string, string>>()

  constructor(catalog: CatalogModel) {
    this.#catalog = catalog
  }

  /** The casing in which the catalog has the tag, undefined when it has none; every tag asked for counts as named. */
  casingOf(scope: string, name: string): string | undefined {
    const names = this.#known.get(scope) ?? new Map<string, string>()
    this.#known.set(scope, names)
    const known = names.get(name)
    if (known !== undefined) return known
    const tag = this.#catalog.find('tag', this.#catalog.keyOf('tag', { scope, name }))
    if (tag) names.set(name, tag.name as string)
    return tag?.name as string | undefined
  }

  /** The keys of the tags that were named. */
  namedKeys(): string[] {
    return [...this.#known].flatMap(([scope, names]) =>
      [...names.keys()].map((name) => this.#catalog.keyOf('tag', { scope, name })),
    )
  }
}
