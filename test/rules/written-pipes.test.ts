import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { findText, refuseUnwritable, writeWhole } from '../../cli/whole-files.ts'

test('what is written to a pipe goes through it, and the pipe stays', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'licet-pipe-'))
  const pipe = join(directory, 'pipe')
  execFileSync('mkfifo', [pipe])
  const reader = spawn('cat', [pipe], { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    await refuseUnwritable(pipe)
    expect(await findText(pipe)).toBeUndefined()
    const [read] = await Promise.all([text(reader.stdout), writeWhole(pipe, 'a licence\n')])
    expect(read).toBe('a licence\n')
    expect((await stat(pipe)).isFIFO()).toBe(true)
    expect(await readdir(directory)).toEqual(['pipe'])
  } finally {
    if (reader.exitCode === null && reader.kill()) await once(reader, 'exit')
    await rm(directory, { recursive: true })
  }
}, 10_000)
