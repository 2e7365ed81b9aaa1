/** A filter or sortOrder that cannot be answered: 400 `license.validation_error`, `message` for people, naming the place but no column. */
export class FilterRefused extends Error {
  override name = 'FilterRefused'
  readonly pointer: '/filter' | '/sortOrder'

  constructor(pointer: '/filter' | '/sortOrder', message: string) {
    super(message)
    this.pointer = pointer
  }
}

/** The reader's own words in quotes, shortened, for a message. */
export function quoted(text: string) {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)
}
