import { compareDecimals, type Decimal, decimalOf, multiplyDecimals, wireNumber, zero } from '../../kit/decimal.ts'
import { sharesOf } from '../shares.ts'

/** How much a feature was used, and the weight that it has; null where it is not valued. */
interface UsedFeature {
  used: Decimal
  valueScore: number | null
}

/** Features with what they were worth, and their parts of the whole, the most valuable first; one that is not valued is worth nothing known. */
export function valued<Feature extends UsedFeature>(features: readonly Feature[]) {
  const values = features.map(({ used, valueScore }) =>
    valueScore === null ? zero : multiplyDecimals(used, decimalOf(valueScore)),
  )
  const shares = sharesOf(values)
  return features
    .map((feature, at) => ({ feature, value: values[at]!, share: shares[at]! }))
    .toSorted((a, b) => compareDecimals(b.value, a.value))
    .map(({ feature, value, share }) => {
      const isValued = feature.valueScore !== null
      return {
        ...feature,
        used: wireNumber(feature.used),
        value: isValued ? wireNumber(value) : null,
        share: isValued ? share : null,
      }
    })
}
