import { defineConfig } from 'vitest/config'
import { compileCache } from './test/support/compile-cache.ts'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/browser/**', 'node_modules/**'],
    globalSetup: ['test/support/global-setup.ts'],
    // Most tests wait for processes of their own: a core left free would only make the run longer.
    maxWorkers: '100%',
    // The server is loaded once by each of them, not once for each file: a test leaves nothing behind in its process.
    isolate: false,
    env: { NODE_COMPILE_CACHE: compileCache },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
