import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { beforeAll, expect, test } from 'vitest'
import { compileCache } from '../support/compile-cache.ts'
import { ensureBuilt } from '../support/licet-binary.ts'

beforeAll(ensureBuilt)

test('a demonstration that is interrupted leaves no directory with a secret in it', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'licet-interrupted-'))
  const demo = execa(process.execPath, [join(import.meta.dirname, '../../examples/demo/run.ts')], {
    // A group of its own: Ctrl-C on a terminal reaches the server, too.
    ...{ detached: true, reject: false },
    env: { TMPDIR: directory, NODE_COMPILE_CACHE: compileCache },
  })
  for await (const line of demo) if (line.includes('its secret is shown this once')) process.kill(-demo.pid!, 'SIGINT')
  const { exitCode, stdout } = await demo
  expect(readdirSync(directory)).toEqual([])
  expect([exitCode, stdout]).toEqual([130, expect.stringMatching(/\nThe demonstration stopped: interrupted$/)])
  rmSync(directory, { recursive: true })
})
