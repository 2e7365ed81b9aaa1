import { join } from 'node:path'
import { execa } from 'execa'
import { expect, test } from 'vitest'
import { root } from './imports.ts'

// A library that hooks the end of the process once made every run end with 0.
test('a run of which a test fails does not end well, PostgreSQL or not', async () => {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const config = 'test/facts/failing-run/vitest.config.ts'
  const { exitCode, all } = await execa(process.execPath, [vitest, 'run', '--root', root, '--config', config], {
    cwd: root,
    all: true,
    reject: false,
    env: { NO_COLOR: '1' },
  })
  expect(all).toMatch(/Tests\s+2 failed/)
  expect(exitCode).toBe(1)
})
