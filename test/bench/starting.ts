import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { writeCatalog } from '../../cli/catalog-files/writing.ts'
import { serveBuilt } from '../support/built-server.ts'
import { largeCatalog } from '../support/large-catalog.ts'
import { ensureBuilt } from '../support/licet-binary.ts'
import { furnish } from '../support/server.ts'
import { alternate, type Bench, timed } from './measuring.ts'

const run = promisify(execFile)
const binary = join(import.meta.dirname, '../../bin/licet.js')

/** How long processes take to start, against a Node that does nothing. */
export const benchStarting: Bench = async () => {
  await ensureBuilt()
  const directory = await mkdtemp(join(tmpdir(), 'licet-bench-'))
  const databaseUrl = `sqlite:${join(directory, 'licet.db')}`
  const catalog = join(directory, 'catalog')
  try {
    await furnish(databaseUrl)
    await writeCatalog(catalog, largeCatalog(28), { schema: 'https://licet.example/snapshot.schema.json' })
    const licet = (...args: string[]) => timed(() => run(process.execPath, [binary, ...args], { env }))
    const env = { ...process.env, HOME: directory }
    const millis = await alternate(9, {
      node: () => timed(() => run(process.execPath, ['-e', '0'])),
      version: () => licet('--version'),
      help: () => licet('--help'),
      validate: () => licet('catalog', 'validate', catalog),
      serve: () => startAndStop(databaseUrl),
    })
    const floor = { floor: millis.node, floorName: 'node -e 0', unit: 'ms' }
    return [
      {
        name: 'licet --version',
        value: millis.version,
        ...floor,
        target: { id: 'T12', of: 'ratio', atMost: 3 },
      },
      { name: 'licet --help', value: millis.help, ...floor },
      { name: 'licet catalog validate, 31 items', value: millis.validate, ...floor },
      {
        name: 'licet serve, until it listens, existing database',
        value: millis.serve,
        ...floor,
        target: { id: 'T17', of: 'ratio', atMost: 10 },
      },
    ]
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

async function startAndStop(databaseUrl: string): Promise<number> {
  const begun = performance.now()
  const server = await serveBuilt(databaseUrl)
  const taken = performance.now() - begun
  await server.close()
  return taken
}
