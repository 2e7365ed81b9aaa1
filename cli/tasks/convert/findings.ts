/** Something to say about a place of a price list. */
export interface Remark {
  /** The place, as an RFC 6901 pointer into the price list. */
  pointer: string
  /** The place with `*` for each name that the vendor chose, such as `plans.*.price`: what remarks are grouped by. */
  subject: string
  message: string
}

/** What was noticed while reading a price list: errors leave nothing to write, warnings say what was left out or changed. */
export interface Findings {
  errors: Remark[]
  warnings: Remark[]
}
