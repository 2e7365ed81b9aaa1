import type { featureTypes } from '../../../catalog-schema/enumerations.ts'
import { amountText, findLoss, readAmount, valueText } from './amounts.ts'
import type { Period } from './periods.ts'
import type { Place } from './place.ts'

/** A feature or usage limit of a price list as plans and add-ons give values for it. */
export interface DeclaredFeature {
  featureCode: string
  name: string
  featureType: Extract<(typeof featureTypes)[number], 'Boolean' | 'Numeric' | 'Text' | 'Metered'>
  /** Where it is declared, as an RFC 6901 pointer. */
  pointer: string
  /** Where its default value stands, and the default itself. */
  defaultValue: Place
  /** What the price list calls its type: DOMAIN, INTEGRATION, RENEWABLE, … */
  moduleName: string | null
  /** Absent where the price list does not speak of one, null where it is empty. */
  description?: string | null
  /** The label it carries. */
  tag: string | null
  /** Usage limits only: what the number counts. */
  units?: string | null
  /** Metered limits only. */
  meter?: { metricName: string; period: Period }
}

const typeOfValues = { BOOLEAN: 'Boolean', NUMERIC: 'Numeric', TEXT: 'Text' } as const

/** The feature type that a declaration's valueType says, or its default value where it says none. */
export function readValueType(declaration: Place): 'Boolean' | 'Numeric' | 'Text' {
  const stated = declaration.field('valueType')
  const defaultValue = declaration.field('defaultValue').value
  if (stated.isEmpty)
    return typeof defaultValue === 'boolean' ? 'Boolean' : typeof defaultValue === 'number' ? 'Numeric' : 'Text'
  const type = typeOfValues[String(stated.value).toUpperCase() as keyof typeof typeOfValues]
  if (type === undefined) stated.refuse(`valueType must be BOOLEAN, NUMERIC or TEXT, not "${valueText(stated)}"`)
  return type ?? 'Text'
}

/** What comes of a value that is no number, and of one below 0, where something comes of it. */
export interface Consequences {
  noNumber?: string
  belowZero?: string
}

/**
 * The text under which a catalog keeps a value of the feature; what does not fit its type is kept as it stands, with a
 * warning that names the consequences, which for a metered limit are those that the server draws.
 */
export function featureValueText(
  feature: DeclaredFeature,
  given: Place,
  { noNumber, belowZero }: Consequences = consequencesOf(feature, given),
): string | null {
  const text = valueText(given)
  if (text === null) {
    if (noNumber !== undefined) given.warn(`gives no number: ${noNumber}`)
    return null
  }
  if (feature.featureType === 'Text') {
    for (const part of [given, ...given.elements()])
      if (part.isMapping) part.warn('is a mapping where text is wanted: kept as JSON')
    return text
  }
  if (feature.featureType === 'Boolean') {
    if (/^(?:true|false)$/i.test(text)) return text.toLowerCase()
    given.warn('is neither true nor false, though the feature is BOOLEAN: kept as it stands')
    return text
  }
  const amount = readAmount(given.value)
  const loss = amount === undefined ? undefined : findLoss(amount, given.written)
  const kept = (consequence?: string) => `kept as it stands${consequence === undefined ? '' : `, and ${consequence}`}`
  if (amount === undefined) given.warn(`is no number, though the feature is NUMERIC: ${kept(noNumber)}`)
  else if (belowZero !== undefined && amount < 0)
    given.warn(`is below 0: ${kept(Number.isFinite(amount) ? belowZero : noNumber)}`)
  else if (loss !== undefined) given.warn(loss)
  else if (typeof given.value === 'string' && !/^[-+]?[\d.]+$/.test(text))
    given.warn(`is written as text: read as ${amountText(amount)}`)
  return amount === undefined ? text : amountText(amount)
}

function consequencesOf({ meter, defaultValue }: DeclaredFeature, given: Place): Consequences {
  if (!meter) return {}
  const where = given.pointer === defaultValue.pointer ? ' where nothing else is given' : ''
  return { noNumber: `no limit is enforced${where}`, belowZero: `every use is refused${where}` }
}
