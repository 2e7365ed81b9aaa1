import { digestOf } from '../kit/canonical-json.ts'

/** A digest of a canonical item: equal items have equal fingerprints, in every environment. */
export const fingerprintOf = (item: object) => `sha256:${digestOf(item)}`
