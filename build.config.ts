import { copyFile, mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'

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

/** CommonJS dependencies find in an ES module the names that they expect. */
const banner = `import { createRequire as licetCreateRequire } from 'node:module'
import { dirname as licetDirname } from 'node:path'
import { fileURLToPath as licetFileURLToPath } from 'node:url'
const require = licetCreateRequire(import.meta.url)
const __filename = licetFileURLToPath(import.meta.url)
const __dirname = licetDirname(__filename)`

/** ink imports a debugger that is not installed, and that nothing reaches here. */
const withoutDebugger: Plugin = {
  name: 'without-debugger',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^react-devtools-core$/ }, ({ path }) => ({ path, namespace: 'absent' }))
    onLoad({ filter: /./, namespace: 'absent' }, () => ({ contents: 'export default {}' }))
  },
}

/** How long a chunk that no entry needs any more stays, for processes that started from the build before. */
const staleAfterMs = 60 * 60 * 1000

const begun = Date.now()
const root = dirname(fileURLToPath(import.meta.url))
const dist = join(root, 'dist')
const staging = join(dist, `.staging-${process.pid}`)

try {
  await build({
    absWorkingDir: root,
    entryPoints,
    outdir: staging,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    chunkNames: 'chunks/[name]-[hash]',
    external,
    banner: { js: banner },
    sourcemap: 'linked',
    sourcesContent: false,
    legalComments: 'none',
    logLevel: 'warning',
    // A library's development mode (warnings, re-validation) is never shipped.
    // Nor does ink, which draws the review screen, look for a debugger when DEV is set.
    define: { 'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"' },
    plugins: [withoutDebugger],
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
  // esbuild has printed its own messages, with their places.
  if (!(error instanceof Error && 'errors' in error)) console.error(error)
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
  const entryFiles = new Set(Object.keys(entryPoints).map((name) => `${name}.js`))
  const ordered = [...staged.filter((file) => !entryFiles.has(file)), ...staged.filter((file) => entryFiles.has(file))]
  for (const file of ordered) {
    await mkdir(dirname(join(dist, file)), { recursive: true })
    await rename(join(staging, file), join(dist, file))
  }
  const current = new Set(staged)
  for (const file of await filesIn(join(dist, 'chunks'))) {
    const path = join(dist, 'chunks', file)
    const changed = await stat(path).then(
      (found) => found.mtimeMs,
      () => begun,
    )
    if (!current.has(join('chunks', file)) && begun - changed > staleAfterMs) await rm(path, { force: true })
  }
  await writeFile(join(dist, '.built'), '')
  // What changes while it is built is newer than the build.
  await utimes(join(dist, '.built'), begun / 1000, begun / 1000)
}

async function filesIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))
}
