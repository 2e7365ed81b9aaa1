import { pathSegment } from '../../catalog-schema/member-names.ts'
import { type Section, sections } from '../../catalog-schema/order.ts'
import { checkFileHead, formatVersion, type Reference, type Snapshot } from '../../catalog-schema/snapshot.ts'
import { isObject } from '../json-objects.ts'
import { nearest } from '../nearest.ts'
import { expectedMs, tellProgress } from '../progress.ts'
import { codeFrame } from './code-frame.ts'
import type { CatalogSource, SourceFile } from './directory.ts'
import type { Place, Span } from './lines.ts'
import type { FileRefusal, RefusalRule } from './refusals.ts'
import { type Reading, readCatalogText } from './yaml-reading.ts'

/** A stretch of a named file. */
export interface FileSpan extends Span {
  file: string
}

/** Where an item was read: its file, and its place in the file's section. */
export interface ItemOrigin {
  file: string
  pointer: string
}

/** The files of a catalog as one snapshot, and the way back from each of its items to the file that holds it. */
export interface SnapshotReading {
  snapshot: Snapshot
  /** What is wrong with files and their top levels; the snapshot holds what could be read of the rest. */
  refusals: FileRefusal[]
  /** The number of files that were read. */
  files: number
  /** The number of items in all sections. */
  items: number
  /** Every file's text with its places, by name. */
  readings: ReadonlyMap<string, Reading>
  /** Whether some file could not be read at all, so that what it holds is not known. */
  isPartial: boolean
  originOf(section: Section, index: number): ItemOrigin
}

const head = ['exportedAt', 'sourceTenantId', 'scope', 'counts', 'references', 'warnings']
const planFileWords =
  'This is a plan of licet and no part of the catalog; move it out, or give it a name that ends otherwise, such as plan.licet.'
const topLevel: readonly string[] = ['formatVersion', ...sections, ...head, '$schema']

/** Reads a file's bytes as a part of a snapshot, as JSON when its name says so. */
export function readSourceFile(file: SourceFile): Reading {
  return readCatalogText(file.bytes, /\.json$/i.test(file.name) ? 'json' : 'yaml')
}

/**
 * Merges the sections of all files, in their order, into one snapshot. A section that no file has is absent; one that
 * a file leaves out of its own `scope` is passed over; items that are not mappings are refused, each at its place.
 */
export function readSnapshot(source: CatalogSource): SnapshotReading {
  const snapshot: Snapshot = { formatVersion }
  const refusals: FileRefusal[] = [...source.refusals]
  const readings = new Map<string, Reading>()
  const origins = new Map<Section, ItemOrigin[]>()
  const references: Record<string, Reference> = {}

  const bytes = source.files.reduce((sum, file) => sum + file.bytes.length, 0)
  for (const [index, file] of source.files.entries()) {
    tellProgress(index, source.files.length, expectedMs.toRead(index === 0 ? bytes : file.bytes.length))
    const reading = readSourceFile(file)
    readings.set(file.name, reading)
    if (Object.hasOwn(reading.value, 'licetPlan')) {
      const { key, value } = reading.locate('/licetPlan')
      refusals.push({ file: file.name, rule: 'plan-file', message: planFileWords, ...(key ?? value) })
      continue
    }
    for (const refusal of reading.refusals) refusals.push({ file: file.name, ...refusal })
    const refuse = (rule: RefusalRule, span: Span, message: string) =>
      refusals.push({ file: file.name, rule, message, ...endAtLine(span, reading) })
    refuseTopLevel(reading, refuse)
    if (refuseHead(reading, refuse)) Object.assign(references, reading.value.references)
    for (const section of sections) {
      const given = reading.value[section]
      if (given === undefined || given === null || !isSpoken(reading.value.scope, section)) continue
      if (!Array.isArray(given)) {
        refuse(
          'not-a-list',
          reading.locate(`/${section}`).value,
          `"${section}" must be a list of items; put "- " before each.`,
        )
        continue
      }
      snapshot[section] ??= []
      const list = snapshot[section]
      const places = origins.get(section) ?? []
      origins.set(section, places)
      given.forEach((item: unknown, index) => {
        const pointer = `/${section}/${index}`
        if (!isObject(item)) {
          refuse(
            'not-an-item',
            reading.locate(pointer).value,
            `An item of "${section}" must be a mapping of fields to values.`,
          )
          return
        }
        list.push(item)
        places.push({ file: file.name, pointer })
      })
    }
  }
  if (Object.keys(references).length > 0) snapshot.references = references
  return {
    snapshot,
    refusals,
    files: source.files.length,
    items: sections.reduce((sum, section) => sum + (snapshot[section]?.length ?? 0), 0),
    readings,
    isPartial:
      source.refusals.length > 0 ||
      [...readings.values()].some(({ value, refusals: own }) => own.length > 0 && Object.keys(value).length === 0),
    originOf: (section, index) => {
      const origin = origins.get(section)?.[index]
      if (origin === undefined) throw new RangeError(`there is no item ${index} in ${section}`)
      return origin
    },
  }
}

/** Where the node of a pointer inside an item stands; the key's place when asked for it and there is one. */
export function placeOf(
  reading: SnapshotReading,
  origin: ItemOrigin,
  pointer: string,
  part: 'key' | 'value',
): FileSpan {
  const file = reading.readings.get(origin.file)!
  const located = file.locate(origin.pointer + pointer)
  const spansLines = located.value.endLine > located.value.line
  const span = (part === 'key' || spansLines) && located.key !== undefined ? located.key : located.value
  return { file: origin.file, ...endAtLine(span, file) }
}

/** The line of a place with a caret under it; empty for a file that was not read. */
export function frameOf(reading: SnapshotReading, place: Place & { file: string; endCol: number }): string {
  const lines = reading.readings.get(place.file)?.lines
  return lines === undefined ? '' : codeFrame(lines.lineText(place.line), place.line, place.col, place.endCol)
}

/** The span, ended with its first line: what spans several lines is marked by that one. */
function endAtLine(span: Span, reading: Reading): Span {
  if (span.endLine === span.line) return span
  const { line, col } = span
  return { line, col, endLine: line, endCol: Math.max(col + 1, reading.lines.lineText(line).trimEnd().length + 1) }
}

function refuseTopLevel(reading: Reading, refuse: (rule: RefusalRule, span: Span, message: string) => void): void {
  for (const name of Object.keys(reading.value)) {
    if (topLevel.includes(name)) continue
    const located = reading.locate(`/${pathSegment(name)}`)
    const [meant] = nearest(name, topLevel)
    const advice = meant === undefined ? `A file may have ${sections.join(', ')}.` : `Did you mean "${meant}"?`
    refuse('unknown-section', located.key ?? located.value, `There is no section "${name}". ${advice}`)
  }
  const version = reading.value.formatVersion
  if (version !== undefined && version !== formatVersion) {
    const advice = version === 1 ? `; quote it: '${formatVersion}'` : ''
    const message = `formatVersion must be the text '${formatVersion}', the only one this version reads${advice}.`
    refuse('format-version', reading.locate('/formatVersion').value, message)
  }
}

/** Refuses what a file says of itself where a snapshot may not say it; answers whether all of it can be used. */
function refuseHead(reading: Reading, refuse: (rule: RefusalRule, span: Span, message: string) => void): boolean {
  const given = Object.entries(reading.value).filter(([name]) => head.includes(name))
  // Most files say nothing of themselves, and making the check takes longer than reading a small one.
  if (given.length === 0) return true
  const findings = checkFileHead(Object.fromEntries(given))
  for (const { pointer, message, given: written, accepted = [] } of findings) {
    const isUnknownField = message.startsWith('there is no field')
    const located = reading.locate(pointer)
    const [meant] = written === undefined ? [] : nearest(written, accepted)
    const advised = meant === undefined ? message : `${message}; did you mean "${meant}"?`
    const [name] = pointer.slice(1).split('/')
    refuse('head', (isUnknownField && located.key) || located.value, `"${name}": ${advised}`)
  }
  return findings.length === 0
}

function isSpoken(scope: unknown, section: Section): boolean {
  return !Array.isArray(scope) || scope.includes(section)
}
