import { nearest } from '../../nearest.ts'
import { valueText } from './amounts.ts'
import { type DeclaredFeature, readValueType } from './declared-feature.ts'
import { type claimCodes, codeOf, metricNameOf, readableName } from './names.ts'
import { findPeriod, namesSpanOfTime, namesTooShort, type Period, splitUnit } from './periods.ts'
import type { Place } from './place.ts'

type Codes = ReturnType<typeof claimCodes>

/** The features and usage limits of a price list by the names they have there. */
export interface Declared {
  features: Map<string, DeclaredFeature>
  limits: Map<string, DeclaredFeature>
}

/** Reads what a price list declares; a limit whose code a feature has already is told apart by `_LIMIT`. */
export function readDeclared(priceList: Place, codes: Codes): Declared {
  const features = new Map<string, DeclaredFeature>()
  const limits = new Map<string, DeclaredFeature>()
  for (const [name, place] of priceList.field('features').members())
    if (isDeclaration(place)) features.set(name, readFeature(name, place, codes))
  for (const [name, place] of priceList.field('usageLimits').members())
    if (isDeclaration(place)) limits.set(name, readLimit(name, place, codes))
  return { features, limits }
}

function isDeclaration(place: Place): boolean {
  if (!place.isMapping) place.refuse('must be a mapping with valueType and defaultValue')
  return place.isMapping
}

function readFeature(name: string, place: Place, codes: Codes): DeclaredFeature {
  const featureType = readValueType(place)
  const isCounted = featureType === 'Numeric'
  place.leaveOutAllBut('description', 'valueType', 'defaultValue', 'type', 'tag', ...(isCounted ? ['unit'] : []))
  const units = isCounted ? place.field('unit').text() : null
  return {
    ...readCommon(name, place, claim(name, place, codes, '')),
    featureType,
    tag: place.field('tag').text(),
    ...(units !== null && { units }),
  }
}

function readLimit(name: string, place: Place, codes: Codes): DeclaredFeature {
  place.leaveOutAllBut('description', 'valueType', 'defaultValue', 'type', 'unit', 'period')
  const common = readCommon(name, place, claim(name, place, codes, '_LIMIT'))
  const featureType = readValueType(place)
  const units = place.field('unit').text()
  const limit: DeclaredFeature = { ...common, featureType, tag: null, units }
  const renewal = findRenewal(place, featureType, units)
  if (!renewal) {
    const period = place.field('period')
    if (!period.isEmpty) period.warn('has no place in a limit that is not metered: left out')
    return limit
  }
  const meter = { metricName: metricNameOf(limit.featureCode), period: renewal.period }
  return { ...limit, featureType: 'Metered', units: renewal.unit, meter }
}

function readCommon(name: string, place: Place, featureCode: string) {
  const description = place.field('description')
  return {
    featureCode,
    name: readableName(name),
    pointer: place.pointer,
    defaultValue: place.field('defaultValue'),
    moduleName: place.field('type').text(),
    ...(description.value === undefined ? {} : { description: description.text() }),
  }
}

function claim(name: string, place: Place, codes: Codes, suffix: string): string {
  const { code, metBy } = codes.claim(name, suffix)
  if (codeOf(name) === '') place.warn(`has no letter or digit to make a code of: it is ${code} here`)
  else if (metBy !== undefined) place.warn(`meets "${metBy}" in the code ${codeOf(name)}: it is ${code} here`)
  return code
}

/** The types of limits that are used up, and may start anew. */
const meteredTypes = ['RENEWABLE', 'TIME_DRIVEN', 'RESPONSE_DRIVEN']

const monthlyInstead = 'Monthly is taken, which allows as much in a whole month; set the limit of the month'

/** What a limit counts and the period after which it starts anew; undefined for one that never does, or counts nothing. */
function findRenewal(
  place: Place,
  featureType: DeclaredFeature['featureType'],
  units: string | null,
): { unit: string | null; period: Period } | undefined {
  const type = String(place.field('type').value ?? '').toUpperCase()
  if (type === '' || type === 'NON_RENEWABLE') return undefined
  if (!meteredTypes.includes(type)) {
    const [meant] = nearest(type, ['NON_RENEWABLE', ...meteredTypes])
    const hint = meant === undefined ? '' : ` (or is it ${meant}?)`
    place.field('type').warn(`is none of NON_RENEWABLE, ${meteredTypes.join(', ')}${hint}: no limit is enforced`)
    return undefined
  }
  const { unit, period } = splitUnit(units ?? '')
  const stated = place.field('period')
  const isOther = !period && namesSpanOfTime(units ?? '')
  if (type !== 'RENEWABLE' && !period && !isOther && stated.isEmpty) return undefined
  if (featureType !== 'Numeric') {
    place.field('type').warn(`is ${type}, but only a NUMERIC limit can be metered: no limit is enforced`)
    return undefined
  }
  if (period && namesSpanOfTime(unit ?? '')) place.field('unit').warn(`names two periods: ${period} is taken`)
  if (!stated.isEmpty) return { unit, period: readPeriod(stated, period) }
  if (period) return { unit, period }
  if (namesTooShort(units ?? ''))
    place.field('unit').warn(`a catalog has no period as short as "${units}": ${monthlyInstead}`)
  else if (isOther) place.field('unit').warn(`a catalog has no period as that of "${units}": ${monthlyInstead}`)
  else place.field('type').warn('names no period after which it starts anew: Monthly is taken')
  return { unit, period: 'Monthly' }
}

/** The period that a limit states, whatever its unit says; that of its unit, or Monthly, where a catalog has no such period. */
function readPeriod(stated: Place, ofUnit: Period | undefined): Period {
  stated.leaveOutAllBut('value', 'unit')
  const count = stated.field('value')
  const value = typeof count.value === 'number' ? count.value : (valueText(count) ?? '1')
  const unit = valueText(stated.field('unit')) ?? 'MONTH'
  const text = stated.isMapping ? `${value} ${unit}` : (valueText(stated) ?? '')
  const period = findPeriod(text)
  if (!period)
    stated.warn(
      `a catalog has no period of ${text}: ${ofUnit ?? 'Monthly'} is taken instead, in which as much is allowed; set the limit of that`,
    )
  else if (ofUnit && ofUnit !== period) stated.warn(`is ${period}, the unit says ${ofUnit}: ${period} is taken`)
  return period ?? ofUnit ?? 'Monthly'
}
