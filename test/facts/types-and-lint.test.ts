import { execa } from 'execa'
import { expect, test } from 'vitest'
import { root } from './imports.ts'

// As tests these two keep a core busy beside the others, and not both of them waiting for one.
test.each(['typecheck', 'lint'])(
  'npm run %s finds nothing',
  async (script) => {
    const { exitCode, all } = await execa('npm', ['run', '--silent', script], {
      cwd: root,
      all: true,
      reject: false,
      env: { NO_COLOR: '1' },
    })
    expect(exitCode, all).toBe(0)
  },
  300_000,
)
