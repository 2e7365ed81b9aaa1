/** What is brought with the first who asks for it. */
export interface Lazy<T> {
  /** Brings it, again where that failed the time before: a want of files or connections passes. */
  get(): Promise<T>
  /** Waits until it is there, if anybody has asked; undefined where it is not. */
  held(): Promise<T | undefined>
}

/** Has `bring` called once, and again only after it has failed. */
export function lazily<T>(bring: () => Promise<T>): Lazy<T> {
  let brought: Promise<T> | undefined
  return {
    get() {
      brought ??= bring().catch((error) => {
        brought = undefined
        throw error
      })
      return brought
    },
    held: async () => brought?.catch(() => undefined),
  }
}
