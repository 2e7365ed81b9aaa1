import { FilterRefused } from './refusal.ts'

/** What one filter or sortOrder may cost: bytes of UTF-8, terms between commas, and values of all terms together. */
export const filterLimits = { bytes: 4096, terms: 50, values: 100 } as const

/** Refuses text that is too long for a filter or sortOrder, or that not every store can compare. */
export function checkFilterText(pointer: '/filter' | '/sortOrder', text: string) {
  if (text.length > filterLimits.bytes || new TextEncoder().encode(text).length > filterLimits.bytes)
    throw new FilterRefused(pointer, `is longer than ${filterLimits.bytes} bytes`)
  if (text.includes('\0') || !text.isWellFormed()) throw new FilterRefused(pointer, 'holds a NUL or a lone surrogate')
}

/** Refuses more terms or values than a filter or sortOrder may have. */
export function checkFilterCount(pointer: '/filter' | '/sortOrder', what: 'terms' | 'values', count: number) {
  if (count > filterLimits[what]) throw new FilterRefused(pointer, `has more than ${filterLimits[what]} ${what}`)
}
