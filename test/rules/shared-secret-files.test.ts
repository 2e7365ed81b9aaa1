import { accessSync, chmodSync, constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { readSigningSecrets } from '../../cli/webhooks/signing-secrets.ts'

/** On a disk, and in memory, where there is no device but a file. */
const places = [tmpdir(), '/dev/shm'].filter(isWritable)

function isWritable(directory: string) {
  try {
    accessSync(directory, constants.W_OK)
    return true
  } catch {
    return false
  }
}

describe.each(places)('in %s', (place) => {
  test.each([
    [0o600, 0],
    [0o640, 1],
    [0o604, 1],
  ])('a file of mode %o with a webhook secret is read, with %i warnings', async (mode, warnings) => {
    const directory = mkdtempSync(join(place, 'licet-secret-'))
    const file = join(directory, 'secret.txt')
    writeFileSync(file, 'whsec_c2VjcmV0LWNhbmFyeQ==\n')
    chmodSync(file, mode)
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const secrets = await readSigningSecrets(file)
    const said = written.mock.calls.map(([text]) => String(text))
    written.mockRestore()
    rmSync(directory, { recursive: true })
    expect(secrets).toHaveLength(1)
    expect(said).toHaveLength(warnings)
    for (const text of said) expect(text).toMatch(/Warning:.*secret\.txt.*chmod 600 /)
  })
})
