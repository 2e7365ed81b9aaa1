import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { claims, device, licenseKeys, licenseToken, offlineResponse } from '../support/license-keys.ts'
import { freshHome, type Home, type LicetOptions, licet } from '../support/licet-binary.ts'
import { json, problem, type StandIn, standIn } from './tenant-stand-in.ts'

const code = 'CANARY-CODE-7F3Q'
const keys = licenseKeys()
const day = '2026-11-22T00:00:00Z'
const issuePath = 'POST /api/v1/provision/operational/activations/offline/issue'

let home: Home
beforeEach(() => {
  home = freshHome()
  put('jwks.json', JSON.stringify(keys.jwks))
})
const put = (name: string, text: string) => writeFileSync(join(home.directory, name), text)
const read = (name: string) => readFileSync(join(home.directory, name), 'utf8')
const mode = (name: string) => statSync(join(home.directory, name)).mode & 0o777
const run = (args: string[], options: Omit<LicetOptions, 'home'> = {}) =>
  licet(['offline', ...args], { home, ...options })
const request = (...more: string[]) => run(['request', '--fingerprint', device, '--activation-code', code, ...more])

describe('licet offline request', () => {
  test('writes an artifact that only the user can read, and never over another', async () => {
    const made = await request('--out', 'request.json')
    expect(made.exitCode).toBe(0)
    expect(made.stdout).toMatch(/Next.*licet offline issue request\.json/)
    expect(made.stdout + made.stderr).not.toContain(code)
    expect(mode('request.json')).toBe(0o600)
    const first = JSON.parse(read('request.json'))
    expect(first.body).toEqual({ activationCode: code, fingerprint: device })
    expect(Buffer.from(first.meta.nonce, 'base64url')).toHaveLength(32)
    expect(Math.abs(Date.parse(first.meta.requestedAt) - Date.now())).toBeLessThan(60_000)

    const refused = await request('--out', 'request.json')
    expect((await request('--out', '-')).stderr).toMatch(
      /^Error: "-" is no file here\.\n {2}Try: name one, such as \.\/-$/m,
    )
    expect(refused.stderr).toMatch(/there already[\s\S]*--force/)
    expect(refused.exitCode).toBe(1)
    expect(JSON.parse(read('request.json'))).toEqual(first)
    await request('--out', 'request.json', '--force')
    expect(JSON.parse(read('request.json')).meta.nonce).not.toBe(first.meta.nonce)
  })

  test('prints the artifact, and holds of components their hashes alone', async () => {
    const hash = createHash('sha256').update('build-7').digest('hex')
    const made = await request(
      '--component',
      'MachineName=build-7',
      '--component',
      `OsVersion=${hash}`,
      '--application-scope',
      'cad',
      '--application-version',
      '2.0',
    )
    expect(JSON.parse(made.stdout).body).toEqual({
      activationCode: code,
      fingerprint: device,
      applicationInfo: { installedApplicationVersion: '2.0', applicationScope: 'cad' },
      components: { MachineName: hash, OsVersion: hash },
    })
    expect(made.stdout).not.toContain('build-7')
    expect((await request('--json')).json().body.activationCode).toBe(code)
  })

  test.each<[string, string[], LicetOptions]>([
    ['a file', ['--activation-code-file', 'code'], {}],
    ['stdin', ['--activation-code-file', '-'], { input: `${code}\n` }],
    ['the variable', [], { env: { LICET_ACTIVATION_CODE: code } }],
    ['a file, whatever the variable says', ['--activation-code-file', 'code'], { env: { LICET_ACTIVATION_CODE: 'X' } }],
  ])('takes the code from %s', async (_, args, options) => {
    put('code', `${code}\n`)
    const made = await run(['request', '--fingerprint', device, ...args], options)
    expect(JSON.parse(made.stdout).body.activationCode).toBe(code)
  })

  test.each<[string, string[], number, RegExp]>([
    ['no code', ['--fingerprint', device], 64, /nobody can be asked[\s\S]*--activation-code-file/],
    ['no fingerprint', ['--activation-code', code], 64, /fingerprint/],
    ['an empty fingerprint', ['--activation-code', code, '--fingerprint', ' '], 64, /--fingerprint is empty/],
    [
      'an unknown component',
      ['--activation-code', code, '--fingerprint', device, '--component', 'Cpu=1'],
      64,
      /NAME=VALUE[\s\S]*MacAddress/,
    ],
    [
      'a component in another letter case',
      ['--activation-code', code, '--fingerprint', device, '--component', 'machineName=aa'],
      64,
      /NAME=VALUE, and "machineName" is no name of one[\s\S]*--component MachineName=VALUE/,
    ],
    [
      'a component without a value',
      ['--activation-code', code, '--fingerprint', device, '--component', 'UserName='],
      64,
      /NAME=VALUE/,
    ],
    [
      'a component twice',
      ['--activation-code', code, '--fingerprint', device, '--component', 'UserName=a', '--component', 'UserName=b'],
      64,
      /given twice/,
    ],
    ['a code without its flag', [code, '--fingerprint', device], 64, /One argument too many/],
  ])('is refused with %s', async (_, args, exitCode, message) => {
    const refused = await run(['request', ...args])
    expect(refused.stderr).toMatch(message)
    expect(refused.stderr).not.toContain(code)
    expect(refused.exitCode).toBe(exitCode)
    expect((await run(['request', ...args, '--json'])).json().error.message).toEqual(expect.any(String))
  })
})

describe('licet offline inspect', () => {
  test('shows a request without its code', async () => {
    await request('--out', 'request.json', '--application-name', 'CAD\u001b[2J')
    const shown = await run(['inspect', 'request.json'])
    expect(shown.stdout).toMatch(/code +…7F3Q\n/)
    expect(shown.stdout).toMatch(/fingerprint +device-1\n/)
    expect(shown.stdout).toContain('CAD\\x1b[2J')
    expect(shown.stdout).toMatch(/requested .*\(\d+ seconds? ago\)|\(now\)/)
    const document = (await run(['inspect', 'request.json', '--json'])).stdout
    expect(JSON.parse(document)).toMatchObject({
      kind: 'offline-request',
      request: { body: { activationCode: '…7F3Q' } },
    })
    expect(shown.stdout + document).not.toContain(code)
  })

  test('shows a response, and that nobody checked it', async () => {
    put('response.json', JSON.stringify(offlineResponse(keys)))
    const { stdout } = await run(['inspect', '-'], { input: read('response.json') })
    expect(stdout).toMatch(/signature not checked/)
    expect(stdout).toMatch(/products +ACME-CAD@2\.0\n/)
    expect(stdout).toMatch(/expires +2026-12-01T12:00:00Z \((in \d+|\d+) \w+/)
    expect(stdout).toMatch(/EXPORT_STEP +true +enabled\n/)
    expect(stdout).toMatch(/SEATS +5 +disabled/)
    const document = (await run(['inspect', 'response.json', '--json'])).json()
    expect(document).toMatchObject({ kind: 'offline-response', signature: 'not checked', claims: { plan: 'Pro' } })
  })

  test.each([
    [
      'a request whose parts are of other kinds',
      {
        meta: { schemaVersion: 1, nonce: 'A'.repeat(43), requestedAt: '2026-11-21T11:00:00Z', sdkVersion: 7 },
        body: { activationCode: code, fingerprint: device, applicationInfo: null, components: [] },
      },
      0,
    ],
    [
      'a response whose claims are of other kinds',
      offlineResponse(keys, { products: 7, features: [null, { code: 1 }], exp: 'x', iss: {}, trial: 'no' }),
      0,
    ],
    ['a request of another version', { meta: { schemaVersion: 2 }, body: {} }, 1],
    ['a response without a signature', { signedPayload: 'e30' }, 1],
    ['another document', { keys: [] }, 1],
  ])('reads %s as far as it can be', async (_, value, exitCode) => {
    const shown = await run(['inspect', '-'], { input: JSON.stringify(value) })
    expect(shown.stderr).not.toMatch(/Bug/)
    expect(shown.exitCode).toBe(exitCode)
  })
})

describe('licet offline verify', () => {
  const verifyBy = (key: string, ...more: string[]) => run(['verify', 'response.json', '--public-key', key, ...more])
  const verify = (...more: string[]) => verifyBy('jwks.json', '--at', day, ...more)

  test('a response that answers its request is valid, by every form of the public key', async () => {
    put('response.json', JSON.stringify(offlineResponse(keys)))
    put(
      'request.json',
      JSON.stringify({
        meta: { schemaVersion: 1, nonce: 'A'.repeat(43), requestedAt: '2026-11-21T11:00:00Z' },
        body: { activationCode: code, fingerprint: device },
      }),
    )
    put('key.pem', keys.offline.publicKey.export({ type: 'spki', format: 'pem' }).toString())
    put('jwk.json', JSON.stringify(keys.jwks.keys[1]))
    for (const key of ['jwks.json', 'key.pem', 'jwk.json']) {
      const verified = await verifyBy(key, '--at', day, '--request', 'request.json')
      expect(verified.stdout).toMatch(/^VALID {2}signature, validity, fingerprint, nonce checked/)
      expect(verified.exitCode).toBe(0)
    }
    expect((await verify('--fingerprint', device, '--json')).json()).toEqual({
      valid: true,
      reasons: [],
      kid: 'offline-1',
      claims: expect.objectContaining({ entitlement_id: claims.entitlement_id }),
      checked: ['signature', 'validity', 'fingerprint'],
    })
  })

  test.each<[string, unknown, string[], string]>([
    [
      'altered',
      { ...offlineResponse(keys), signature: offlineResponse(keys, { plan: 'Team' }).signature },
      [],
      'wrong_signature',
    ],
    ['expired', offlineResponse(keys, { exp: Date.parse(day) / 1000 }), [], 'expired'],
    ['for another device', offlineResponse(keys), ['--fingerprint', 'device-2'], 'wrong_fingerprint'],
    ['padded', { ...offlineResponse(keys), signature: 'AAAA====' }, [], 'malformed'],
    ['a license token', licenseToken(keys), [], 'malformed'],
    [
      'signed twice, the last time well',
      JSON.stringify(offlineResponse(keys)).replace(',"signature"', ',"signature":"AAAA","signature"'),
      [],
      'malformed',
    ],
  ])('a response that is %s exits 2 and says why', async (_, value, more, reason) => {
    put('response.json', typeof value === 'string' ? value : JSON.stringify(value))
    const human = await verify(...more)
    expect(human.stdout).toMatch(new RegExp(`^INVALID .*\\(${reason}\\)`))
    expect(human.exitCode).toBe(2)
    const machine = await verify(...more, '--json')
    expect(machine.json()).toMatchObject({ valid: false, reasons: [{ code: reason }] })
    expect(machine.exitCode).toBe(2)
  })

  test('a token here, or a response as a token, names the command that verifies it', async () => {
    put('response.json', licenseToken(keys))
    expect((await verify()).stdout).toContain('"licet license verify"')
    put('response.json', JSON.stringify(offlineResponse(keys)))
    const args = ['license', 'verify', 'response.json', '--public-key', 'jwks.json']
    const verified = await licet(args, { home })
    expect([verified.exitCode, verified.stdout]).toEqual([2, expect.stringContaining('"licet offline verify"')])
  })

  test('a key that is none is a failure, not an answer', async () => {
    put('response.json', JSON.stringify(offlineResponse(keys)))
    put('private.pem', keys.offline.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())
    const kept = await verifyBy('private.pem')
    expect(kept.stderr).toMatch(/holds a private key/)
    expect(kept.exitCode).toBe(1)
    for (const key of ['response.json', 'absent.pem']) expect((await verifyBy(key)).exitCode).toBe(1)
    expect((await verifyBy('jwks.json', '--at', 'soon')).stderr).toMatch(/--at is no date-time/)
    const twice = await verifyBy('-', '--request', '-')
    expect(twice.stderr).toMatch(/Only one of the files can come from stdin/)
    expect(twice.exitCode).toBe(64)
  })
})

describe('licet offline issue', () => {
  let server: StandIn
  beforeAll(async () => {
    server = await standIn({
      [issuePath]: ({ body }, out) => {
        const { meta, body: asked } = JSON.parse(body)
        if (asked.fingerprint === 'full')
          problem(out, 400, 5002, 'offline.activation_refused', `No seat is free for ${asked.activationCode}.`, {
            reason: 'license.seats_exhausted',
          })
        else if (asked.fingerprint === 'swapped') json(out, 200, offlineResponse(keys))
        else json(out, 200, offlineResponse(keys, { nonce: meta.nonce }))
      },
    })
  })
  afterAll(() => server.close())
  const issue = (args: string[], options: LicetOptions = {}) =>
    run(['issue', ...args], { env: server.variables, ...options })
  const ask = (name: string, fingerprint = device) =>
    run(['request', '--fingerprint', fingerprint, '--activation-code', code, '--out', name])

  test('one request to a file that only the user can read, sent as it stands', async () => {
    await ask('one.json')
    const issued = await issue(['one.json', '--out', 'one.response.json'])
    expect(issued.stdout).toMatch(/^Wrote one\.response\.json: ACME-CAD@2\.0 until 2026-12-01T12:00:00Z/)
    expect(issued.exitCode).toBe(0)
    expect(mode('one.response.json')).toBe(0o600)
    expect(JSON.parse(server.seen.at(-1)!.body)).toEqual(JSON.parse(read('one.json')))
    const verified = await run([
      'verify',
      'one.response.json',
      '--public-key',
      'jwks.json',
      '--request',
      'one.json',
      '--at',
      day,
    ])
    expect(verified.exitCode).toBe(0)
    expect(server.tokenRequests.at(-1)!.body).toMatch(/scope=operational\.entitlements%3Acreate$/)

    const again = await issue(['one.json', '--out', 'one.response.json'])
    expect(again.exitCode).toBe(0)
    const seen = server.seen.length
    for (const held of ['mine', JSON.stringify(offlineResponse(keys))]) {
      put('one.response.json', held)
      const kept = await issue(['one.json', '--out', 'one.response.json'])
      expect(kept.stderr).toMatch(/there already[\s\S]*--force/)
      expect(kept.exitCode).toBe(1)
      expect(read('one.response.json')).toBe(held)
    }
    expect(server.seen).toHaveLength(seen)
    expect((await issue(['one.json', '--out', 'one.response.json', '--force'])).exitCode).toBe(0)
  })

  test('from stdin to stdout', async () => {
    await ask('one.json')
    const { stdout } = await issue(['-'], { input: read('one.json') })
    expect(Object.keys(JSON.parse(stdout))).toEqual(['signedPayload', 'signature'])
    expect((await issue(['one.json', '--json'])).json()).toHaveProperty('signedPayload')
  })

  test('a directory in one go; what is wrong with one stops none', async () => {
    mkdirSync(join(home.directory, 'requests'))
    for (const name of ['a', 'c']) await ask(`requests/${name}.json`)
    await ask('requests/b.json', 'full')
    put('requests/d.json', '{}')
    put('requests/e.response.json', '{}')
    const issued = await issue(['requests', '--out', 'responses', '--json'])
    expect(issued.exitCode).toBe(1)
    expect(issued.json()).toEqual({
      issued: ['a', 'c'].map((name) => ({
        request: `requests/${name}.json`,
        response: `responses/${name}.response.json`,
      })),
      failed: [
        {
          request: 'requests/b.json',
          error: expect.objectContaining({ codeName: 'offline.activation_refused', reason: 'license.seats_exhausted' }),
        },
        { request: 'requests/d.json', error: expect.objectContaining({ codeName: 'cli.input' }) },
      ],
    })
    expect(issued.stdout + issued.stderr).not.toContain(code)
    expect(mode('responses/c.response.json')).toBe(0o600)
    const human = await issue(['requests', '--out', 'responses'])
    expect(human.stdout).toMatch(/Issued 2 of 4\.\n$/)
    expect(human.stderr).toMatch(/requests\/b\.json: No seat is free for \[secret\]\./)
    expect(human.stderr.match(/Issuing/g)).toHaveLength(1)
  })

  test.each<[string, string[], number, RegExp]>([
    ['nothing', [], 64, /Name a request/],
    ['several and nowhere to put them', ['a.json', 'b.json'], 64, /--out DIR/],
    ['two of one name', ['a.json', './a.json', '--out', 'x'], 64, /Two requests/],
    ['what is no request', ['jwks.json'], 1, /meta and body/],
    ['a request that is refused', ['full.json'], 1, /No seat is free for \[secret\]\.\n {2}Try: release a device/],
    ['an answer to another request', ['swapped.json'], 1, /answered another request/],
    ['a directory of none', ['empty', '--out', 'x'], 1, /holds no requests/],
  ])('is refused for %s', async (_, args, exitCode, message) => {
    mkdirSync(join(home.directory, 'empty'))
    await ask('full.json', 'full')
    await ask('swapped.json', 'swapped')
    const refused = await issue(args)
    expect(refused.stderr).toMatch(message)
    expect(refused.stdout).toBe('')
    expect(refused.exitCode).toBe(exitCode)
  })
})
