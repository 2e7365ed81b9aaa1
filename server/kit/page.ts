/** A pageNumber or pageSize that cannot be answered: 400 `license.validation_error`. */
export class PageRefused extends Error {
  override name = 'PageRefused'
  readonly pointer: '/pageNumber' | '/pageSize'

  constructor(pointer: '/pageNumber' | '/pageSize', message: string) {
    super(message)
    this.pointer = pointer
  }
}

/** What a list request asks for: a page counted from 1, and how many items make a page. */
export type PageRequest = { pageNumber: number; pageSize: number }

/** One page of a collection as it is sent. */
export type Page<Item> = PageRequest & {
  items: Item[]
  totalCount: number
  totalPages: number
  hasNextPage: boolean
  hasPreviousPage: boolean
}

const defaultPageSize = 25
const maxPageSize = 100
const maxPageNumber = 1e12

/**
 * The page that query text or numbers ask for: page 1 and 25 items unless told (an empty text tells nothing); larger pages shrink silently to 100, and pages
 * of a size that is not positive hold nothing, so that there are none of them. Throws PageRefused.
 */
export function parsePageRequest(query: { pageNumber?: unknown; pageSize?: unknown }): PageRequest {
  const pageNumber = readWhole('/pageNumber', query.pageNumber) ?? 1
  if (pageNumber < 1) throw new PageRefused('/pageNumber', 'must be a whole number from 1')
  if (pageNumber > maxPageNumber) throw new PageRefused('/pageNumber', `must be at most ${maxPageNumber}`)
  const pageSize = readWhole('/pageSize', query.pageSize) ?? defaultPageSize
  return { pageNumber, pageSize: Math.max(0, Math.min(pageSize, maxPageSize)) }
}

function readWhole(pointer: '/pageNumber' | '/pageSize', value: unknown) {
  if (value === undefined || value === '') return undefined
  const number = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value
  // A text of many digits may be as large as Infinity, which is as good as any number beyond the limits.
  if (typeof number !== 'number' || !(Number.isInteger(number) || Math.abs(number) === Infinity))
    throw new PageRefused(pointer, 'must be a whole number')
  return number
}

/** How many items come before the page; at most 10^14, which every store can count. */
export function offsetOf({ pageNumber, pageSize }: PageRequest) {
  return (pageNumber - 1) * pageSize
}

/** The envelope of a page whose items were found among `totalCount`. */
export function toPage<Item>(items: Item[], totalCount: number, pageNumber: number, pageSize: number): Page<Item> {
  const totalPages = pageSize > 0 ? Math.ceil(totalCount / pageSize) : 0
  return {
    items,
    pageNumber,
    pageSize,
    totalCount,
    totalPages,
    hasNextPage: pageNumber < totalPages,
    hasPreviousPage: pageNumber > 1,
  }
}
