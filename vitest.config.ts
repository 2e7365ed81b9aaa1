import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification, type Vite } from 'vitest/node'
import { compileCache } from './test/support/compile-cache.ts'

const slowFirst = ['/test/facts/types-and-lint', '/test/cli/', '/test/journeys/', '/test/api/']

/**
 * Types and lint first, then the tests that start processes, then those that start servers: at the end no worker waits for the
 * other's long file.
 */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = slowFirst.findIndex((directory) => moduleId.includes(directory))
      return place === -1 ? slowFirst.length : place
    }
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}

const threads: Record<string, [source: string, built: string]> = {
  '/server/app.ts': ["'./heavy-worker.ts'", "'../dist/server/heavy-worker.js'"],
  '/server/database/reading-threads.ts': ["'./reading-worker.ts'", "'../../dist/server/reading-worker.js'"],
}

/** The threads of servers that tests start are the built ones: from the sources each takes a second of processor time to begin. */
const builtThreads: Vite.Plugin = {
  name: 'built-threads',
  enforce: 'pre',
  transform(code, id) {
    const [source, built] = Object.entries(threads).find(([file]) => id.endsWith(file))?.[1] ?? []
    if (!source || !built) return undefined
    if (!code.includes(source)) throw new Error(`${id} starts no thread ${source}`)
    return code.replace(source, built)
  },
}

export default defineConfig({
  plugins: [builtThreads],
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/browser/**', 'node_modules/**'],
    globalSetup: ['test/support/global-setup.ts'],
    // Most tests wait for processes of their own: one worker more than there are cores keeps these busy.
    maxWorkers: availableParallelism() + 1,
    // What they hold grows for as long as they run: V8 need not look through it from its first few megabytes on.
    execArgv: ['--initial-heap-size=768'],
    // The server is loaded once by each of them, not once for each file: a test leaves nothing behind in its process.
    isolate: false,
    env: { NODE_COMPILE_CACHE: compileCache },
    sequence: { sequencer: SlowFirst },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
