#!/usr/bin/env node
// Starts licet. Plain script text without import statements, so that an old Node can read it far enough to be told so.
const wanted = 22

if (Number(process.versions.node.split('.')[0]) < wanted) {
  console.error(
    [
      `licet needs Node ${wanted} or newer; this is Node ${process.versions.node} (${process.execPath}).`,
      'Upgrade Node: https://nodejs.org/en/download',
      '(in a clone of licet itself, "npm ci" brings a Node that "npx licet" uses)',
    ].join('\n'),
  )
  process.exit(1)
} else {
  start()
}

function start() {
  // Node paints, and says so, where both are set; here NO_COLOR is honoured.
  if (process.env.NO_COLOR) delete process.env.FORCE_COLOR
  // A reader that went away (licet … | head) misses the rest: what is under way is done all the same, and the exit code says how
  // it ended.
  process.stdout.on('error', (error) => {
    if (error.code === 'EPIPE') return
    const why = error.code === 'ENOSPC' ? 'no space left on the device' : error.message
    console.error(`Error: cannot write to stdout: ${why}`)
    process.exit(1)
  })
  // Nor does anything end half-way because nobody can be told how it goes.
  process.stderr.on('error', () => {})
  Promise.all([import('node:module'), import('node:fs')])
    .then(([module, fs]) => {
      const directory = compileCacheDirectory(fs)
      if (module.enableCompileCache) module.enableCompileCache(directory)
      // The server's threads have it from here, as has whatever licet starts.
      if (directory) process.env.NODE_COMPILE_CACHE = directory
      return import('../dist/cli/main.js')
    })
    .catch((error) => {
      if (error.code !== 'ERR_MODULE_NOT_FOUND' || !/main\.js/.test(error.message)) throw error
      console.error('licet is not built yet (dist/cli/main.js is missing). Run: npm run build')
      process.exitCode = 1
    })
}

// The user's own cache, never a directory that others can write to: what is cached is run.
function compileCacheDirectory({ existsSync, mkdirSync }) {
  const { env } = process
  if (env.NODE_COMPILE_CACHE) return env.NODE_COMPILE_CACHE
  // One that is not absolute is to be ignored (XDG Base Directory 0.8): it would be another in each directory.
  const given = /^(\/|[a-z]:)/i.test(env.XDG_CACHE_HOME ?? '') ? env.XDG_CACHE_HOME : undefined
  const home = given || env.LOCALAPPDATA || (env.HOME ? `${env.HOME}/.cache` : undefined)
  const directory = `${home}/licet/node-compile-cache`
  // Made step by step: Node's own making of several at once never ends below /proc.
  try {
    if (home && !existsSync(directory))
      for (const path of [home, `${home}/licet`, directory]) if (!existsSync(path)) mkdirSync(path)
  } catch {
    // Without the cache all is the same, only slower.
  }
  if (home && existsSync(directory)) return directory
  env.NODE_DISABLE_COMPILE_CACHE = '1'
  return undefined
}
