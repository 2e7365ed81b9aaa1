import { ruleCodes } from '../../catalog-schema/rules/codes.ts'
import { itemChecks } from '../../catalog-schema/snapshot.ts'
import { nearest } from '../nearest.ts'
import { fieldName, findBareScalar } from './bare-scalars.ts'
import type { UnframedFinding } from './findings.ts'
import type { LocatedItem } from './located-items.ts'
import { placeOf, type SnapshotReading } from './snapshot-reading.ts'
import { holdsText, keepsText } from './text-fields.ts'
import type { Reading } from './yaml-reading.ts'

const codeName = 'license.validation_error'

/**
 * What is wrong with an item's own fields: names misspelt, values of the wrong type, missing ones. The item's scalars
 * are brought into canonical form in place, as the server does.
 */
export function checkShape(reading: SnapshotReading, { kind, key, item, origin }: LocatedItem): UnframedFinding[] {
  return itemChecks[kind](item).map(({ pointer, message, given, accepted = [] }) => {
    const isUnknownField = message.startsWith('there is no field')
    const bare = message.startsWith('must be text') ? findBareScalar(reading, origin, pointer) : undefined
    const [meant] = given === undefined ? [] : nearest(given, accepted)
    const said = bare === undefined ? message : `must be text, and ${bare.words}; write ${bare.quoted}`
    const advised = meant === undefined ? said : `${said}; did you mean "${meant}"?`
    return {
      ...placeOf(reading, origin, pointer, isUnknownField ? 'key' : 'value'),
      severity: 'error',
      code: ruleCodes[codeName],
      codeName,
      key,
      pointer: origin.pointer + pointer,
      message: isUnknownField || pointer === '' ? advised : `${fieldName(pointer)} ${advised}`,
      suggestion: bare?.quoted ?? meant,
    }
  })
}

/** Bare numbers and booleans in fields that keep text, where the text kept would not be what was written. */
export function findReworded(reading: SnapshotReading, items: readonly LocatedItem[]): UnframedFinding[] {
  const byPointer = new Map(items.map((located) => [`${located.origin.file}\0${located.origin.pointer}`, located]))
  return [...reading.readings].flatMap(([file, { findReworded: findPointers }]) =>
    findPointers().flatMap((pointer) => {
      const [, itemPointer = '', inner = ''] = /^(\/[^/]+\/\d+)(.*)$/.exec(pointer) ?? []
      const located = byPointer.get(`${file}\0${itemPointer}`)
      if (located === undefined || !keepsText(pointer)) return []
      const bare = findBareScalar(reading, located.origin, inner)
      if (bare === undefined) return []
      return [
        {
          ...placeOf(reading, located.origin, inner, 'value'),
          severity: 'error',
          code: ruleCodes[codeName],
          codeName,
          key: located.key,
          pointer,
          message: `${fieldName(inner)} is kept as text, and ${bare.words}; write ${bare.quoted}`,
          suggestion: bare.quoted,
        },
      ]
    }),
  )
}

/** The first bare number or boolean of a file in a field of text, whether it keeps that or refuses it, that would be written otherwise. */
export function findRewordedText({ findReworded: findPointers }: Reading): string | undefined {
  return findPointers().find(holdsText)
}
