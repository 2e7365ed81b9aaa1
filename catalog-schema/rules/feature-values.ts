import type { Breach, Caution } from './rule.ts'

/** A feature as a value is measured against it. */
export interface ValuedFeature {
  featureType: string
  enumOptions: readonly { value: string }[]
}

/** A value given for an Enumeration feature is one of its options. */
export function checkEnumValue(feature: ValuedFeature, value: string | null, path: string): Breach[] {
  if (feature.featureType !== 'Enumeration' || value === null || feature.enumOptions.length === 0) return []
  const options = feature.enumOptions.map((option) => option.value)
  if (options.includes(value)) return []
  return [{ codeName: 'license.validation_error', path, message: `must be one of ${options.join(', ')}` }]
}

/** A value that its feature's type does not fit deserves a second look. */
export function doubtValue(feature: ValuedFeature, value: string | null, path: string): Caution[] {
  if (value === null) return []
  const doubt = (message: string) => [{ code: 'value_type', path, message }]
  if (feature.featureType === 'Boolean' && value !== 'true' && value !== 'false')
    return doubt(`"${value}" is given for a Boolean feature`)
  if (feature.featureType === 'Numeric' && !/^-?\d+(\.\d+)?$/.test(value))
    return doubt(`"${value}" is given for a Numeric feature`)
  return []
}
