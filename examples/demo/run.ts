import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { Demonstration } from './demonstration.ts'

/**
 * The main job from nothing, with the real binary: a server on a SQLite file, two environments, a real price list
 * turned into a catalog and imported, next year's list compared field by field and imported, staging promoted to
 * production. Everything happens in a temporary directory, which is removed.
 */
const root = join(import.meta.dirname, '../..')
const real = join(root, '../shared/pricings/github')
const [lists, years] = existsSync(real)
  ? [real, ['2021', '2022'] as const]
  : [join(root, 'examples/price-list'), ['2025', '2026'] as const]

const directory = await mkdtemp(join(tmpdir(), 'licet-demo-'))
const demo = new Demonstration(join(root, 'bin/licet.js'), directory)
// Listened to until the end: a signal that comes again, or that nobody listens to, would leave the directory with its secrets.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => demo.interrupt())

try {
  await demonstrate()
} catch (error) {
  demo.say(`\nThe demonstration stopped: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode ??= 1
} finally {
  try {
    await demo.end()
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

async function demonstrate() {
  const [before, after] = years
  demo.say(`licet: the catalog of a software vendor, from a price list to production.`)
  demo.say(
    `The price lists are ${relative(root, lists)}/${before}.yml and ${after}.yml; nothing outside a temporary directory is touched.`,
  )

  await mkdir(join(directory, 'catalog'))
  await writeFile(join(directory, 'licet.yaml'), 'catalog: catalog\n')
  for (const tenant of ['staging', 'production']) {
    await demo.run(
      `A tenant for ${tenant}: its own records, keys and clients, in one SQLite file.`,
      'tenant',
      'create',
      tenant,
    )
  }
  const url = await demo.serve('The server, on that file.')
  for (const tenant of ['staging', 'production']) {
    const client = await demo.ask<{ clientId: string; clientSecret: string }>(
      `A client of ${tenant} that may read and import its catalog; its secret is shown this once.`,
      ...['client', 'create', '--tenant', tenant, '--name', 'demo', '--scope', 'admin.catalog:*'],
    )
    await demo.runWith(
      client.clientSecret,
      `The command line remembers ${tenant} under its name; the secret comes from stdin, never from the arguments.`,
      ...['env', 'add', tenant, '--url', `${url}/t/${tenant}`, '--client-id', client.clientId],
      ...['--client-secret-file', '-'],
    )
  }

  const convert = ['catalog', 'convert', '--from', 'pricing2yaml', '--out', 'catalog']
  await demo.runQuietly(
    `The price list of ${before} becomes a catalog: files to keep under version control.`,
    ...convert,
    join(lists, `${before}.yml`),
  )
  await demo.run(
    'Into staging: checked, compared, then imported all or nothing.',
    'catalog',
    'import',
    '--env',
    'staging',
    '--yes',
  )

  await demo.runQuietly(`A year later: the price list of ${after}.`, ...convert, join(lists, `${after}.yml`), '--force')
  await demo.runWhole(
    'What would change in staging, field by field. Nothing is changed by asking.',
    'catalog',
    'diff',
    '--env',
    'staging',
  )
  await demo.run(
    'Imported: exactly what was shown, or nothing if staging had moved meanwhile.',
    'catalog',
    'import',
    '--env',
    'staging',
    '--yes',
  )

  const promote = ['catalog', 'promote', '--from', 'staging', '--to', 'production', '--yes']
  await demo.run('Staging is what we want: production is made like it.', ...promote)
  const again = await demo.run('Once more: there is nothing left to do, and nothing is written.', ...promote)
  if (!/Nothing to do/.test(again)) throw new Error('the second promotion found something to do')

  demo.say(`\nDone in ${demo.seconds()} s. What to try next, from this directory:`)
  demo.say('  npx licet tenant create acme && npx licet serve')
  demo.say('  npx licet catalog convert --from pricing2yaml YOUR-PRICES.yml --out catalog')
  demo.say('  npx licet catalog --help')
  demo.say('  The API reference is at http://127.0.0.1:7070/t/acme/docs while the server runs.')
}
