import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { claims, device, licenseKeys, licenseToken } from '../support/license-keys.ts'
import { freshHome, licet } from '../support/licet-binary.ts'
import { type Environments, serveEnvironments } from '../support/served-environments.ts'
import { json, problem, type StandIn, standIn } from './tenant-stand-in.ts'

const at = ['--at', '2026-11-22T00:00:00Z']

describe('a license token in a file', () => {
  const keys = licenseKeys()
  const token = licenseToken(keys)
  const home = freshHome()
  const put = (name: string, text: string) => writeFileSync(join(home.directory, name), text)
  put('jwks.json', JSON.stringify(keys.jwks))
  const run = (...args: string[]) => licet(['license', ...args], { home, input: token })
  const verify = (file: string, ...more: string[]) =>
    run('verify', file, '--public-key', 'jwks.json', ...(more.includes('--at') ? [] : at), ...more)

  test.each([
    ['alone', token],
    ['with line breaks around it', `\n${token}\r\n`],
    ['in the answer of an activation', JSON.stringify({ token, session: {} })],
  ])('is read %s, verified and shown', async (_, text) => {
    put('licence.jwt', text)
    const verified = await verify(
      'licence.jwt',
      '--fingerprint',
      device,
      '--issuer',
      claims.iss,
      '--audience',
      claims.aud,
    )
    expect(verified.stdout).toMatch(
      /^VALID {2}signature, validity, issuer, audience, fingerprint checked, key token-1\n/,
    )
    expect(verified.stdout).toMatch(/expires +2026-12-01T12:00:00Z \(in 10 days\)/)
    expect(verified.exitCode).toBe(0)
    const shown = await run('inspect', 'licence.jwt')
    expect(shown.stdout).toMatch(/^License token \(signature not checked/)
    expect(shown.stdout).toMatch(/lease until +2026-11-28T12:00:00Z/)
    expect((await run('inspect', 'licence.jwt', '--json')).json()).toEqual({
      kind: 'license-token',
      signature: 'not checked',
      header: { alg: 'ES256', typ: 'license+jwt', kid: 'token-1' },
      claims,
    })
  })

  test.each<[string, string, string[], string]>([
    ['altered', `${token.slice(0, -4)}AAAA`, [], 'wrong_signature'],
    ['of another tenant', licenseToken(licenseKeys()), [], 'wrong_signature'],
    ['an access token', licenseToken(keys, {}, { typ: 'at+jwt' }), [], 'wrong_type'],
    ['expired', licenseToken(keys, { exp: claims.iat }), [], 'expired'],
    ['of another device', token, ['--fingerprint', 'device-2'], 'wrong_fingerprint'],
    ['cut short', token.slice(0, 200), [], 'malformed'],
    ['empty', '', [], 'malformed'],
  ])('that is %s exits 2 and says why', async (_, text, more, reason) => {
    put('bad.jwt', text)
    const human = await verify('bad.jwt', ...more)
    expect(human.stdout).toMatch(new RegExp(`^INVALID .*\\(${reason}\\)`))
    expect(human.exitCode).toBe(2)
    const machine = await verify('bad.jwt', ...more, '--json')
    expect(machine.json()).toMatchObject({ valid: false, reasons: [{ code: reason }] })
    expect(machine.exitCode).toBe(2)
  })

  test('that is signed with a key that is not in the file says how to fetch them afresh', async () => {
    put('bad.jwt', licenseToken(keys, {}, { kid: 'token-2' }))
    expect((await verify('bad.jwt')).stdout).toMatch(
      /kid "token-2"\); fetch those .* \(licet api GET \/\.well-known\/jwks\.json > jwks\.json\)\. \(unknown_key\)/,
    )
  })

  test('is judged by the very time that --at names, and by now with a minute for clocks that differ', async () => {
    put('licence.jwt', token)
    const before = await verify('licence.jwt', '--at', new Date(claims.nbf * 1000 - 1000).toISOString(), '--json')
    const message = `It is not valid before ${new Date(claims.nbf * 1000).toISOString()} (in 1 second).`
    expect(before.json()).toMatchObject({ valid: false, reasons: [{ code: 'not_yet_valid', message }] })
    expect(before.exitCode).toBe(2)
    expect((await verify('licence.jwt', '--at', new Date(claims.nbf * 1000).toISOString())).exitCode).toBe(0)
    const now = Math.floor(Date.now() / 1000)
    put('new.jwt', licenseToken(keys, { nbf: now + 55, exp: now + 600 }))
    expect((await run('verify', 'new.jwt', '--public-key', 'jwks.json')).exitCode).toBe(0)
  })

  test('comes from stdin, and never from the command line', async () => {
    expect((await verify('-')).exitCode).toBe(0)
    for (const deed of ['inspect', 'renew', 'check-in', 'release']) {
      const refused = await run(deed, token)
      expect(refused.stderr).toMatch(/never goes on a command line/)
      expect(refused.stderr).not.toContain(token.slice(0, 60))
      expect(refused.exitCode).toBe(64)
    }
    expect((await verify(token)).exitCode).toBe(64)
  })

  test('is not there: a failure, not an answer', async () => {
    expect((await verify('absent.jwt')).exitCode).toBe(1)
    expect((await run('check-in', 'jwks.json')).stderr).toMatch(/holds no license token/)
    expect((await run('inspect', 'jwks.json')).stderr).toMatch(/no license token, offline request or offline response/)
    expect((await run('verify', 'licence.jwt')).exitCode).toBe(64)
  })
})

describe('licet license with a server', () => {
  let served: Environments
  let code: string
  let environment: Record<string, string>
  const api = async (method: string, path: string, body: unknown) => {
    const args = ['api', method, `/api/v1/provision/admin/${path}`, '--data', JSON.stringify(body), '--json']
    const answered = await served.run([...args, '--env', 'acme'])
    if (answered.exitCode !== 0) throw new Error(answered.stderr)
    return answered.json()
  }
  beforeAll(async () => {
    served = await serveEnvironments(['acme', 'neighbour'])
    const args = ['client', 'create', '--tenant', 'acme', '--name', 'support', '--scope', 'operational.*:*', '--json']
    const client = (await served.run(args)).json()
    const LICET_URL = `${served.server.url}/t/acme`
    environment = { LICET_URL, LICET_CLIENT_ID: client.clientId, LICET_CLIENT_SECRET: client.clientSecret }
    const features = [{ featureCode: 'EXPORT', value: 'true', includeInLicenseToken: true }]
    const product = await api('POST', 'products', { productCode: 'CAD', productVersion: '2.0', name: 'Cad', features })
    const sold = await api('POST', 'entitlements', {
      name: 'Sold',
      status: 'Active',
      licensePolicy: { licenseModel: 'Floating', maxDeviceActivations: 1, leaseTime: 'P7D', graceTime: 'P3D' },
    })
    await api('POST', `entitlements/${sold.id}/products/${product.id}`, {})
    code = (await api('POST', `entitlements/${sold.id}/activation-codes`, {})).activationCode
    writeFileSync(path('code'), `${code}\n`)
    const jwks = await served.run(['api', 'GET', '/.well-known/jwks.json', '--env', 'acme'])
    writeFileSync(path('jwks.json'), jwks.stdout)
  })
  afterAll(() => served.server.stop())
  const path = (name: string) => join(served.home.directory, name)
  const run: Environments['run'] = (args, options) => served.run(args, options)
  const activate = (fingerprint: string, ...more: string[]) =>
    run([
      'license',
      'activate',
      '--activation-code-file',
      'code',
      '--fingerprint',
      fingerprint,
      '--env',
      'acme',
      ...more,
    ])
  const verify = (file: string, ...more: string[]) =>
    run(['license', 'verify', file, '--public-key', 'jwks.json', '--issuer', `${served.server.url}/t/acme`, ...more])

  test('a licence that could not be written is not asked for', async () => {
    const refused = await activate('unwritable', '--out', 'code/licence.jwt')
    expect(refused.stderr).toBe('Error: Cannot write code/licence.jwt: a part of the path is not a directory.\n')
    expect((await activate('writable', '--out', 'writable.jwt')).exitCode).toBe(0)
    expect((await run(['license', 'release', 'writable.jwt'])).exitCode).toBe(0)
  })

  test('a device is activated, renews, checks in and is released, and its licence verifies all along', async () => {
    const activated = await activate('laptop', '--device-name', "Ada's laptop", '--out', 'licence.jwt')
    expect(activated.stderr).toMatch(/^Activating at 127\.0\.0\.1/)
    expect(activated.stdout).toMatch(/^Wrote the license token to licence\.jwt\.\n {2}session +[0-9a-f-]{36}\n/)
    expect(activated.stdout).toMatch(/device +Ada's laptop\n/)
    expect(activated.exitCode).toBe(0)
    expect(statSync(path('licence.jwt')).mode & 0o777).toBe(0o600)
    const token = readFileSync(path('licence.jwt'), 'utf8').trim()
    const verified = await verify('licence.jwt', '--fingerprint', 'laptop')
    expect(verified.stdout).toMatch(/^VALID[\s\S]*products +CAD@2\.0\n[\s\S]*EXPORT +true +enabled/)
    expect((await verify('licence.jwt', '--fingerprint', 'desktop')).exitCode).toBe(2)

    const refused = await activate('laptop', '--out', 'licence.jwt')
    expect(refused.stderr).toMatch(/there already/)
    const again = (await activate('laptop', '--json')).json()
    expect(again).toMatchObject({ token: expect.stringMatching(/^ey/), session: { fingerprint: 'laptop' } })

    const checkedIn = await run(['license', 'check-in', 'licence.jwt'])
    expect(checkedIn.stdout).toMatch(/^Checked in\.\n {2}session +[0-9a-f-]{36}\n[\s\S]*lease until .*\(in [67] days\)/)
    const renewed = await run(['license', 'renew', 'licence.jwt', '--out', 'licence.jwt'])
    expect(renewed.exitCode).toBe(0)
    expect(readFileSync(path('licence.jwt'), 'utf8').trim()).not.toBe(token)
    expect((await verify('licence.jwt')).exitCode).toBe(0)

    const full = await activate('desktop')
    expect(full.stderr).toMatch(/\n {2}Try: release a device/)
    expect(full.exitCode).toBe(1)
    const released = await run(['license', 'release', '-', '--json'], {
      input: readFileSync(path('licence.jwt'), 'utf8'),
    })
    expect(released.json()).toEqual({ sessionId: again.session.id, released: true, releasedAt: expect.any(String) })
    expect((await run(['license', 'release', 'licence.jwt'])).stdout).toMatch(/its seat is free/)
    const late = await run(['license', 'check-in', 'licence.jwt', '--json'])
    expect(late.json().error).toMatchObject({
      codeName: 'license.session_not_valid',
      hint: expect.stringMatching(/activate again/),
    })
    expect(late.exitCode).toBe(2)
    expect((await run(['license', 'renew', 'licence.jwt'])).exitCode).toBe(2)
    for (const { stdout, stderr } of [activated, checkedIn, renewed, released, late, full]) {
      expect(stdout + stderr).not.toContain(token)
      expect(stdout + stderr).not.toContain(code)
    }
  })

  test('an activation asks for no client, and its token goes alone to stdout', async () => {
    const { LICET_URL } = environment
    const args = ['license', 'activate', '--activation-code', code, '--fingerprint', 'server']
    const activated = await run(args, { env: { LICET_URL: LICET_URL! } })
    expect(activated.stdout).toMatch(/^ey[\w-]+\.[\w-]+\.[\w-]+\n$/)
    expect(activated.stderr).toMatch(/session +[0-9a-f-]{36}/)
    writeFileSync(path('server.jwt'), activated.stdout)
    const elsewhere = await run(['license', 'check-in', 'server.jwt', '--env', 'neighbour'])
    expect(elsewhere.stderr).toMatch(/Try: .*activate again/)
    expect(elsewhere.exitCode).toBe(1)
    expect((await run(['license', 'release', 'server.jwt'])).exitCode).toBe(0)
  })

  test('an activation without a code, where nobody can be asked for it, is wrong usage', async () => {
    const refused = await run(['license', 'activate', '--fingerprint', 'x', '--env', 'acme'])
    expect(refused.stderr).toMatch(/nobody can be asked[\s\S]*--activation-code-file/)
    expect(refused.exitCode).toBe(64)
  })

  test('a code that is none is refused, and not repeated', async () => {
    const args = ['license', 'activate', '--activation-code', 'NONE-CANARY-1234', '--fingerprint', 'x', '--env', 'acme']
    for (const more of [[], ['--json']]) {
      const refused = await run([...args, ...more])
      expect(refused.stdout + refused.stderr).toMatch(/check the activation code/)
      expect(refused.stdout + refused.stderr).not.toContain('CANARY')
      expect(refused.exitCode).toBe(1)
    }
  })

  test('an offline licence is asked for, issued once and verified on the machine without a network', async () => {
    const asked = [
      'offline',
      'request',
      '--activation-code-file',
      'code',
      '--fingerprint',
      'island',
      '--out',
      'ask.json',
    ]
    expect((await run(asked)).exitCode).toBe(0)
    const issue = (out: string) => run(['offline', 'issue', 'ask.json', '--out', out], { env: environment })
    expect((await issue('one.json')).stdout).toMatch(/^Wrote one\.json: CAD@2\.0 until .*\(in \d+ days\)/)
    await issue('two.json')
    expect(readFileSync(path('two.json'), 'utf8')).toBe(readFileSync(path('one.json'), 'utf8'))
    const verifying = ['offline', 'verify', 'one.json', '--public-key', 'jwks.json', '--request', 'ask.json']
    const verified = await run(verifying)
    expect(verified.stdout).toMatch(/^VALID {2}signature, validity, fingerprint, nonce checked/)
    expect(verified.exitCode).toBe(0)

    const other = await run([...asked.slice(0, -3), 'shore', '--out', 'other.json'])
    expect(other.exitCode).toBe(0)
    const refused = await run(['offline', 'issue', 'other.json', '--out', 'three.json', '--json'], { env: environment })
    expect(refused.json().error).toMatchObject({
      code: 5002,
      reason: 'license.seats_exhausted',
      hint: expect.stringMatching(/release a device/),
    })
    expect(existsSync(path('three.json'))).toBe(false)
    expect((await run([...verifying.slice(0, -1), 'other.json'])).stdout).toMatch(/wrong_fingerprint[\s\S]*wrong_nonce/)
  })
})

describe('a server that refuses a licence', () => {
  const keys = licenseKeys()
  let server: StandIn
  let refused: [number, number, string]
  beforeAll(async () => {
    server = await standIn({ '*': (_asked, out) => problem(out, ...refused, 'Refused.') })
  })
  afterAll(() => server.close())
  const elsewhere = 'https://licenses.example.com/t/acme'

  test.each<[number, number, string, object, number]>([
    [403, 2101, 'license.entitlement_not_active', {}, 2],
    [403, 2102, 'license.not_yet_valid', {}, 2],
    [403, 2103, 'license.expired', {}, 2],
    [403, 2111, 'license.session_not_valid', {}, 2],
    [409, 2104, 'license.seats_exhausted', {}, 1],
    [503, 9003, 'server.unavailable', {}, 1],
    [401, 1101, 'auth.unauthenticated', { iss: elsewhere }, 1],
    [401, 1101, 'auth.unauthenticated', { iss: elsewhere, exp: 1_700_000_000 }, 2],
    [401, 1101, 'auth.unauthenticated', { iss: 'its own' }, 2],
  ])(
    'with %i %i %s (%j) ends check-in, renew, release and consumption with %i',
    async (status, code, codeName, claimed, exitCode) => {
      refused = [status, code, codeName]
      const own = 'iss' in claimed && claimed.iss === 'its own' ? { iss: server.url } : {}
      const input = licenseToken(keys, { exp: Math.floor(Date.now() / 1000) + 60, ...claimed, ...own })
      const used = ['usage', 'consume', 'm', '--license']
      for (const asked of [...['check-in', 'renew', 'release'].map((deed) => ['license', deed]), used]) {
        const ended = await licet([...asked, '-', '--json'], { env: { LICET_URL: server.url }, input })
        expect(ended.json().error.codeName).toBe(codeName)
        expect(ended.exitCode).toBe(exitCode)
      }
    },
  )

  test('as expired is told how a trial goes on', async () => {
    refused = [403, 2103, 'license.expired']
    const ended = await licet(['license', 'renew', '-'], { env: { LICET_URL: server.url }, input: licenseToken(keys) })
    expect(ended.stderr).toContain(
      'have the entitlement renewed, or its trial begun again (licet entitlement restart-trial)',
    )
  })
})

test('a server that answers something else has not checked in, released, renewed, shown or consumed anything', async () => {
  const server = await standIn({ '*': (_asked, out) => json(out, 200, {}) })
  const input = licenseToken(licenseKeys(), { exp: Math.floor(Date.now() / 1000) + 60 })
  for (const asked of [
    ...['check-in', 'renew', 'release'].map((deed) => ['license', deed]),
    ...['consume', 'show'].map((deed) => ['usage', deed, ...(deed === 'show' ? ['--metric'] : []), 'm', '--license']),
  ]) {
    const ended = await licet([...asked, '-', '--json'], { env: { LICET_URL: server.url }, input })
    expect([ended.json().error.codeName, ended.exitCode]).toEqual(['cli.unreadable_answer', 1])
  }
  await server.close()
})

describe('a server that repeats what it was sent', () => {
  const keys = licenseKeys()
  const token = licenseToken(keys, { sub: 'a/../../b c' })
  let server: StandIn
  beforeAll(async () => {
    server = await standIn({
      '*': ({ body, headers }, out) =>
        problem(out, 403, 2101, 'license.entitlement_not_active', `Sent: ${headers.authorization} ${body}`),
      'POST /api/v1/provision/activations/license': ({ body }, out) =>
        body.includes('odd') ? json(out, 200, { token: 'odd' }) : problem(out, 404, 2004, 'license.not_found', body),
    })
  })
  afterAll(() => server.close())
  const run = (args: string[], input = token) => licet(['license', ...args], { env: { LICET_URL: server.url }, input })

  test('is not passed on', async () => {
    const code = 'CANARY-CODE-1234'
    for (const more of [[], ['--json']]) {
      for (const deed of ['renew', 'check-in', 'release']) {
        const refused = await run([deed, '-', ...more])
        expect(refused.stdout + refused.stderr).toContain('Sent: Bearer [secret]')
        expect(refused.stdout + refused.stderr).not.toContain(token.split('.')[2])
      }
      const args = ['activate', '--fingerprint', 'device-1', '--activation-code-file', '-', ...more]
      const refused = await run(args, code)
      expect(refused.stdout + refused.stderr).toContain('[secret]')
      expect(refused.stdout + refused.stderr).not.toContain(code)
    }
  })

  test('is asked about the session of the token and nothing beside it', () => {
    const asked = server.seen.filter(({ headers }) => headers.authorization).map(({ url }) => url)
    expect(new Set(asked)).toEqual(
      new Set(
        ['renew', 'check-in', 'release'].map(
          (deed) => `/t/acme/api/v1/provision/activations/a%2F..%2F..%2Fb%20c/${deed}`,
        ),
      ),
    )
  })

  test('answers without a token: that is no licence', async () => {
    const refused = await run(['activate', '--fingerprint', 'odd', '--activation-code', 'x'])
    expect(refused.stderr).toMatch(/without a license token/)
    expect(refused.stdout).toBe('')
  })
})
