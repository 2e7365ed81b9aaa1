import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { catalogFileJsonSchema } from '../../catalog-schema/json-schema.ts'
import { sections } from '../../catalog-schema/order.ts'
import type { Snapshot } from '../../catalog-schema/snapshot.ts'
import { renderFile } from '../catalog-files/rendering.ts'
import { type WritingReport, writeCatalog } from '../catalog-files/writing.ts'
import { Problem } from '../problems.ts'
import { duringWork } from '../progress.ts'
import { writeWhole } from '../whole-files.ts'

/** The file of an exported directory that editors read the schema from; its dot keeps it out of the catalog. */
const schemaFile = '.catalog.schema.json'

/** Writes a snapshot into a directory as files, with the schema that editors complete and check those by that name it. Raises cli.output. */
export async function writeDirectory(
  directory: string,
  snapshot: Snapshot,
  options: { full: boolean; force: boolean },
): Promise<WritingReport> {
  const report = await duringWork(`Writing ${directory}`, () =>
    writeCatalog(directory, snapshot, { ...options, schema: schemaFile }),
  )
  const path = join(directory, schemaFile)
  const schema = `${JSON.stringify(catalogFileJsonSchema(), null, 2)}\n`
  const standing = await readFile(path, 'utf8').catch(() => undefined)
  // A layout made by hand, none of whose files asks for the schema, is given no file that it has not asked for.
  if (standing !== schema && (standing !== undefined || (await namesSchema(directory, report))))
    await writeWhole(path, schema)
  return report
}

async function namesSchema(directory: string, { written, unchanged }: WritingReport): Promise<boolean> {
  for (const name of [...written, ...unchanged])
    if ((await readFile(join(directory, name), 'utf8')).includes(schemaFile)) return true
  return false
}

/** A whole snapshot as the text of one file, YAML or (by the ending of its name) JSON. */
export function snapshotText(name: string, snapshot: Snapshot): string {
  return renderFile(name, snapshot, '').replace(/^# yaml-language-server: .*\n/, '')
}

/** Writes a whole snapshot into one file; one that is there already is only replaced with `force`. Raises cli.output. */
export async function writeSnapshotFile(path: string, snapshot: Snapshot, force: boolean): Promise<void> {
  if (!force && existsSync(path)) {
    throw new Problem('cli.output', `${path} is there already; nothing was written.`, { hint: '--force replaces it' })
  }
  await duringWork(`Writing ${path}`, () => writeWhole(path, snapshotText(path, snapshot)))
}

/** The sections that `--scope` names, checked. Raises cli.usage. */
export function readSections(named: readonly string[]): string | undefined {
  const names = named.flatMap((text) => text.split(',')).map((text) => text.trim())
  const unknown = names.find((name) => !(sections as readonly string[]).includes(name))
  if (unknown !== undefined)
    throw new Problem('cli.usage', `There is no section "${unknown}".`, { hint: sections.join(', ') })
  return names.length === 0 ? undefined : names.join(',')
}
