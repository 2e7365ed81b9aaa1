import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { compileCache } from './test/support/compile-cache.ts'

const slowFirst = ['/test/cli/', '/test/journeys/', '/test/api/']

/** The tests that start processes first, then those that start servers: at the end no worker waits for the other's long file. */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = slowFirst.findIndex((directory) => moduleId.includes(directory))
      return place === -1 ? slowFirst.length : place
    }
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/browser/**', 'node_modules/**'],
    globalSetup: ['test/support/global-setup.ts'],
    // Most tests wait for processes of their own: one worker more than there are cores keeps these busy.
    maxWorkers: availableParallelism() + 1,
    // The server is loaded once by each of them, not once for each file: a test leaves nothing behind in its process.
    isolate: false,
    env: { NODE_COMPILE_CACHE: compileCache },
    sequence: { sequencer: SlowFirst },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
