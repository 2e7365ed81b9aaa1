import { copyFile, mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { build, type Plugin } from 'rolldown'
import { checksBeforehandCode } from './catalog-schema/making-checks.ts'

/** The files of dist that keep their names, each with its source. Everything else is a chunk named after its content. */
const entryPoints: Record<string, string> = {
  'cli/main': 'cli/main.ts',
  'cli/manifest': 'cli/manifest.ts',
  'server/heavy-worker': 'server/heavy-worker.ts',
  'server/reading-worker': 'server/database/reading-worker.ts',
}

/** Files copied as they are: the path in dist, and where it comes from. */
const assets: Record<string, string> = {
  'server/docs/assets/start.js': 'server/docs/assets/start.js',
}

/** What cannot be bundled, or is never there: native modules, and what libraries only try to load. */
const external = ['better-sqlite3', 'pg-native', 'cloudflare:sockets', 'typescript', 'ts-node', 'tsx']

/** What is left out, each with what stands for it: ink's debugger, which is not installed, and what tells oclif that it runs on WSL. */
const standIns: Record<string, string> = {
  'react-devtools-core': 'export default {}',
  'wsl-utils': 'export const isWsl = false',
}
const withStandIns: Plugin = {
  name: 'with-stand-ins',
  resolveId: (id) => (Object.hasOwn(standIns, id) ? `\0${id}` : undefined),
  load: (id) => standIns[id.slice(1)],
}

/** What checks a catalog's items, compiled once here rather than by each command. */
const withMadeChecks: Plugin = {
  name: 'with-made-checks',
  load: (id) => (id === join(root, 'catalog-schema/checks-beforehand.ts') ? checksBeforehandCode() : undefined),
}

/**
 * Chunks that are put together by hand, each with all that it imports and those before have not: what answers `--version`, what
 * answers a shell at Tab, and what every command loads. Each file costs half a millisecond.
 */
const groups = [
  { name: 'version', test: /[\\/]cli[\\/](version|global-switches)\.ts$/ },
  { name: 'completion', test: /[\\/]cli[\\/]completion[\\/]answering\.ts$/ },
  { name: 'command', test: /[\\/]cli[\\/](start|oclif-config|base-command)\.ts$|wsl-utils$/ },
]

/** How long what no build needs any more stays: chunks, from when they are replaced, for processes that started before. */
const staleAfterMs = 60 * 60 * 1000

const begun = Date.now()
const root = dirname(fileURLToPath(import.meta.url))
const dist = join(root, 'dist')
const staging = join(dist, `.staging-${process.pid}`)

try {
  await rm(staging, { recursive: true, force: true })
  await build({
    cwd: root,
    input: entryPoints,
    external,
    platform: 'node',
    plugins: [withStandIns, withMadeChecks],
    transform: {
      target: 'node22',
      // A library's development mode (warnings, re-validation) is never shipped.
      // Nor does ink, which draws the review screen, look for a debugger when DEV is set.
      define: { 'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"' },
    },
    // What reads catalogs is loaded when it is needed by some commands, and at once by others.
    checks: { ineffectiveDynamicImport: false },
    // What is not found, for one.
    onLog(level, { message }) {
      if (level === 'warn') throw new Error(message)
    },
    output: {
      dir: staging,
      entryFileNames: '[name].js',
      chunkFileNames: 'chunks/[name]-[hash].js',
      codeSplitting: { groups },
      // Names stay, for the stacks of errors; their lines are the source maps' (LICET_DEBUG).
      minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
      sourcemap: true,
      sourcemapExcludeSources: true,
      // The maps are written one directory deeper than they stay.
      sourcemapPathTransform: (source) => source.replace(/^\.\.\//, ''),
      comments: false,
    },
  })
  const { commandManifest } = await import(pathToFileURL(join(staging, 'cli/manifest.js')).href)
  await writeFile(join(staging, 'cli/commands.json'), JSON.stringify(await commandManifest()))
  for (const [to, from] of Object.entries(assets)) {
    await mkdir(dirname(join(staging, to)), { recursive: true })
    await copyFile(join(root, from), join(staging, to))
  }
  await mkdir(join(staging, 'server/docs/assets'), { recursive: true })
  await writeFile(join(staging, 'server/docs/assets/viewer.js'), await referenceViewer())
  await publish()
} catch (error) {
  // The bundler's messages have their places, and no stack of ours is of use.
  console.error(error instanceof Error && 'errors' in error ? stripVTControlCharacters(error.message) : error)
  process.exitCode = 1
} finally {
  await rm(staging, { recursive: true, force: true })
}

/** The script that draws the API reference, with its licence: asked of its package as a browser would ask. */
async function referenceViewer(): Promise<string> {
  const [{ default: fastify }, { default: reference }] = await Promise.all([
    import('fastify'),
    import('@scalar/fastify-api-reference'),
  ])
  const app = fastify()
  await app.register(reference, { routePrefix: '/reference', configuration: { url: '/openapi.json' } })
  const { statusCode, body } = await app.inject('/reference/js/scalar.js')
  await app.close()
  if (statusCode !== 200) throw new Error(`the viewer's script answered ${statusCode}`)
  const license = fileURLToPath(new URL('../LICENSE', import.meta.resolve('@scalar/fastify-api-reference')))
  return `/*! @scalar/api-reference\n${await readFile(license, 'utf8')}*/\n${body}`
}

/** Moves the staged files into dist one rename at a time, entries last: who starts meanwhile sees a whole build, old or new. */
async function publish() {
  const staged = await filesIn(staging)
  const entryFiles = new Set(Object.keys(entryPoints).map((name) => join(`${name}.js`)))
  const ordered = [...staged.filter((file) => !entryFiles.has(file)), ...staged.filter((file) => entryFiles.has(file))]
  for (const file of ordered) {
    await mkdir(dirname(join(dist, file)), { recursive: true })
    await rename(join(staging, file), join(dist, file))
  }
  await forgetStale(new Set(staged.filter((file) => dirname(file) === 'chunks')))
}

/**
 * Removes what was replaced long ago. `.built` names the chunks of the build before (all, where it names none): what of them is not
 * current is replaced now.
 */
async function forgetStale(current: ReadonlySet<string>) {
  const built = join(dist, '.built')
  const chunks = (await filesIn(join(dist, 'chunks'))).map((file) => join('chunks', file))
  const listed = await readFile(built, 'utf8').catch(() => '')
  const before = new Set(listed ? listed.split('\n') : chunks)
  const abandoned = (await readdir(dist)).filter((name) => name.startsWith('.staging-') && join(dist, name) !== staging)
  for (const file of [...chunks, ...abandoned]) {
    const path = join(dist, file)
    if (current.has(file)) continue
    if (before.has(file)) await utimes(path, begun / 1000, begun / 1000).catch(unlessGone)
    else if (begun - (await changedAt(path)) > staleAfterMs) await rm(path, { recursive: true, force: true })
  }
  await writeFile(built, [...current].join('\n'))
  // What changes while it is built is newer than the build.
  await utimes(built, begun / 1000, begun / 1000)
}

function unlessGone(error: NodeJS.ErrnoException) {
  if (error.code !== 'ENOENT') throw error
}

/** Of what another build has just removed: now. */
async function changedAt(path: string): Promise<number> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => begun,
  )
}

async function filesIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))
}
