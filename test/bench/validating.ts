import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { load } from 'js-yaml'
import { SnapshotSchema } from '../../catalog-schema/snapshot.ts'
import { readCatalogSource } from '../../cli/catalog-files/directory.ts'
import { writeCatalog } from '../../cli/catalog-files/writing.ts'
import { validateCatalog } from '../../cli/tasks/validate.ts'
import { largeCatalog } from '../support/large-catalog.ts'
import { alternate, type Bench, type Row, timed } from './measuring.ts'

/** Checking a catalog directory, with a place for every message, against reading the same files without places. */
export const benchValidating: Bench = async () => {
  const rows: Row[] = []
  for (const items of [100, 1000, 10_000]) {
    const directory = await mkdtemp(join(tmpdir(), 'licet-bench-'))
    try {
      await writeCatalog(directory, largeCatalog(items), { schema: 'https://licet.example/snapshot.schema.json' })
      const names = (await readdir(directory, { recursive: true })).filter((name) => /\.ya?ml$/.test(name))
      const ajv = new Ajv2020({ strict: false, validateFormats: false })
      const check = ajv.compile(SnapshotSchema)
      const floor = async () => {
        const documents = await Promise.all(
          names.map(async (name) => load(await readFile(join(directory, name), 'utf8'))),
        )
        for (const document of documents) check(document)
      }
      const validate = async () => {
        const { findings } = validateCatalog(await readCatalogSource(directory))
        if (findings.some(({ severity }) => severity === 'error')) throw new Error('the catalog is not sound')
      }
      await floor()
      await validate()
      const millis = await alternate(items > 1000 ? 5 : 9, { floor: () => timed(floor), ours: () => timed(validate) })
      rows.push({
        name: `validate a directory of ${items} items`,
        value: millis.ours,
        floor: millis.floor,
        floorName: 'js-yaml load + ajv',
        unit: 'ms',
        note: `${Math.round((millis.ours / items) * 1000)} µs an item`,
        ...(items === 10_000 ? { target: { id: 'T11', of: 'ratio', atMost: 2 } } : {}),
      })
    } finally {
      await rm(directory, { recursive: true, force: true })
    }
  }
  return rows
}
