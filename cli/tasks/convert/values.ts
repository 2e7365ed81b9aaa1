import { nearest } from '../../nearest.ts'
import type { DeclaredFeature } from './declared-feature.ts'
import type { Place } from './place.ts'

/** The values that a plan or add-on gives, by what they are values of; a name that the price list does not declare is an error. */
export function readValues(
  section: Place,
  declared: Map<string, DeclaredFeature>,
  kind: string,
): Map<DeclaredFeature, Place> {
  const values = new Map<DeclaredFeature, Place>()
  for (const [name, place] of section.members()) {
    const feature = declared.get(name)
    if (feature === undefined) {
      const [meant] = nearest(name, declared.keys())
      place.refuse(`there is no ${kind} "${name}"${meant === undefined ? '' : `; "${meant}" is the nearest`}`)
      continue
    }
    if (place.isMapping) place.leaveOutAllBut('value')
    const value = place.isMapping ? place.field('value') : place
    if (value.value !== undefined && value.value !== null) values.set(feature, value)
  }
  return values
}
