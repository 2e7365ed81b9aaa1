import { readDecimal } from '../numeric.ts'
import { type Breach, type Caution, invalid, type ValuedFeature, type Verdict } from './rule.ts'

/** Whether a feature can have a value: one of its options where it is an Enumeration, any value where it is none. */
export const canHave = ({ featureType, enumOptions: options }: ValuedFeature, value: string | null): boolean =>
  featureType !== 'Enumeration' ||
  value === null ||
  options.length === 0 ||
  options.some((option) => option.value === value)

/** A value given for an Enumeration feature is one of its options. */
export function checkEnumValue(feature: ValuedFeature, value: string | null, path: string): Breach[] {
  if (canHave(feature, value)) return []
  const options = feature.enumOptions
  const shown = options.slice(0, mostShown).map((option) => option.value)
  return [invalid(path, `must be one of ${shown.join(', ')}${options.length > mostShown ? ', …' : ''}`)]
}

const mostShown = 20

/** The value of a Numeric or Metered feature that has no limit. */
const unlimited = 'Infinity'

/** Whether a value is a number, or without limit. */
export const isQuantity = (value: string): boolean => value === unlimited || readDecimal(value) !== undefined

/** A value that its feature's type does not fit deserves a second look. */
export function doubtValue(feature: ValuedFeature, value: string | null, path: string): Caution[] {
  if (value === null) return []
  const doubt = (message: string) => [{ code: 'value_type', path, message }]
  if (feature.featureType === 'Boolean' && value !== 'true' && value !== 'false')
    return doubt(`"${value}" is given for a Boolean feature, which is "true" or "false"`)
  if (['Numeric', 'Metered'].includes(feature.featureType) && !isQuantity(value))
    return doubt(
      `"${value}" is given for a ${feature.featureType} feature, which is a number, or Infinity for no limit`,
    )
  if (feature.featureType === 'JsonField' && !isJson(value)) return doubt('the value of a JsonField feature is no JSON')
  return []
}

/** Both at once, into a verdict. */
export function judgeValue(feature: ValuedFeature, value: string | null, path: string, verdict: Verdict): void {
  if (value === null) return
  verdict.breaches.push(...checkEnumValue(feature, value, path))
  verdict.cautions.push(...doubtValue(feature, value, path))
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
