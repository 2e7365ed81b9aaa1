import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Licence, Refused, verifiedClaims } from '../../examples/shipped-application/licence.ts'
import { activateForToken, checkIn, releaseSession, renewSession } from '../../server/activations/sessions/contract.ts'
import { refusalComponents, refusalsOf } from '../../server/docs/refusals.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { forEachStore } from '../support/stores.ts'

const examples = join(import.meta.dirname, '../../examples')
const admin = '/api/v1/provision/admin'
const hasPython = spawnSync('python3', ['-c', 'import cryptography']).status === 0
const python = (...words: string[]) =>
  execa('python3', [join(examples, 'offline-verification/verify.py'), ...words], { reject: false })

test('the page says what every refusal of the calls of the application means', () => {
  const calls = [activateForToken, renewSession, checkIn, releaseSession]
  const refusals = JSON.stringify(calls.map(refusalsOf)).replaceAll(
    /#\/components\/responses\/(\w+)/g,
    (_all, name: string) => refusalComponents[name]!.description,
  )
  const codes = [...refusals.matchAll(/`[\w.]+` \((\d{4})\)/g)].map(([, code]) => Number(code))
  expect(codes).toEqual(expect.arrayContaining([1004, 2111]))
  const page = readFileSync(join(examples, 'shipped-application/README.md'), 'utf8')
  const rows = page.split('\n').filter((line) => line.startsWith('| '))
  const isSaid = (code: number) => rows.some((row) => row.includes(` ${code} `))
  // 429 and 5xx have a row for all of them.
  const temporary = [1008, 9000, 9003]
  expect([...new Set(codes)].filter((code) => !isSaid(code) && !temporary.includes(code))).toEqual([])
})

test.runIf(hasPython).each([[[]], [['token', 'licence.jwt']], [['tokens', 'licence.jwt', 'jwks.json']]])(
  'Python, asked for %j, says in a line what it can be asked for',
  async (words) => {
    const usage = 'usage: python3 verify.py token LICENCE JWKS | response RESPONSE KEY'
    expect(await python(...words)).toMatchObject({ exitCode: 64, stdout: '', stderr: usage })
  },
)

test('openssl alone, without its two files, says in a line what it can be asked for', () => {
  const { status, stderr } = spawnSync('sh', [join(examples, 'offline-verification/verify.sh')], { encoding: 'utf8' })
  expect([status, stderr]).toEqual([64, 'usage: sh verify.sh RESPONSE KEY\n'])
})

forEachStore((store) => {
  let server: TestServer
  let directory: string
  let keys: string
  let productId: string
  let devices = 0

  beforeAll(async () => {
    server = await startTestServer(store)
    directory = mkdtempSync(join(tmpdir(), 'licet-shipped-'))
    keys = join(directory, 'keys.json')
    writeFileSync(keys, (await server.api('GET', '/.well-known/jwks.json', { token: null })).text)
    const product = await server.api('POST', `${admin}/products`, {
      body: {
        name: 'CAD',
        productCode: 'CAD',
        features: [{ featureCode: 'EXPORT', value: true, includeInLicenseToken: true }],
      },
    })
    expect(product.text).toContain('"id"')
    productId = product.body.id
  })
  afterAll(async () => {
    await server.close()
    rmSync(directory, { recursive: true, force: true })
  })

  /** Writes a file into the directory; answers its path. */
  function put(name: string, content: string | Buffer) {
    writeFileSync(join(directory, name), content)
    return join(directory, name)
  }

  /** Sells an entitlement with these seats and leases; answers its id and a code. */
  async function sell(licensePolicy: object) {
    const made = await server.api('POST', `${admin}/entitlements`, {
      body: { name: 'Sold', status: 'Active', licensePolicy },
    })
    expect([made.status, made.text]).toEqual([200, expect.any(String)])
    await server.api('POST', `${admin}/entitlements/${made.body.id}/products/${productId}`)
    const code = await server.api('POST', `${admin}/entitlements/${made.body.id}/activation-codes`, { body: {} })
    return { id: made.body.id as string, code: code.body.activationCode as string }
  }

  const newDevice = () => {
    const name = `device-${devices++}`
    const settings = {
      ...{ baseUrl: server.baseUrl(), fingerprint: name, file: join(directory, `${name}.jwt`) },
      keys: JSON.parse(readFileSync(keys, 'utf8')).keys,
    }
    return { settings, licence: new Licence(settings) }
  }

  const runApp = (device: ReturnType<typeof newDevice>, code: string, variables: object = {}, args: string[] = []) =>
    execa(process.execPath, [join(examples, 'shipped-application/app.ts'), ...args], {
      env: {
        ...{ BASE_URL: device.settings.baseUrl, KEYS: keys, FINGERPRINT: device.settings.fingerprint },
        ...{ LICENCE: device.settings.file, ...variables },
      },
      input: code,
      reject: false,
    })

  test('the application activates, works, starts again without a code, and gives its seat back', async () => {
    const { code } = await sell({ maxDeviceActivations: 1 })
    const [device, other] = [newDevice(), newDevice()]
    expect(await runApp(device, code)).toMatchObject({ stdout: 'active: EXPORT yes', exitCode: 0 })
    expect(await runApp(other, code)).toMatchObject({ stdout: 'refused: license.seats_exhausted', exitCode: 2 })
    expect(await runApp(device, '', {}, ['--release'])).toMatchObject({ stdout: 'active: EXPORT yes\nreleased' })
    expect(await runApp(other, code)).toMatchObject({ stdout: 'active: EXPORT yes' })
  })

  test('without a server the application says so, and activates later', async () => {
    const { code } = await sell({})
    const device = newDevice()
    const away = await runApp(device, code, { BASE_URL: 'http://127.0.0.1:9/t/acme' })
    expect(away).toMatchObject({ stdout: 'nobody answers: try again later', stderr: '', exitCode: 3 })
    expect(await runApp(device, code)).toMatchObject({ stdout: 'active: EXPORT yes', exitCode: 0 })
  })

  test('a lease is renewed in its second half, and a token of a newer key is accepted', async () => {
    const { code } = await sell({ leaseTime: 'PT2S', graceTime: 'PT1M' })
    const { licence, settings } = newDevice()
    await licence.activate(code)
    const first = readFileSync(settings.file, 'utf8')
    await server.api('POST', `${admin}/keys/rotate`, { body: {} })
    await expect.poll(() => licence.state(), { timeout: 10_000 }).not.toBe('active')
    await licence.keepUp()
    expect(readFileSync(settings.file, 'utf8')).not.toBe(first)
    expect(new Licence({ ...settings, keys: settings.keys }).state()).not.toBe('stopped')
    const shipped = new Licence({ ...settings, keys: JSON.parse(readFileSync(keys, 'utf8')).keys })
    expect(shipped.state()).toBe('stopped')
    expect(await shipped.keepUp()).not.toBe('stopped')
  })

  test('after a rotation of keys the application starts again without a code, once it has reached the server', async () => {
    const { code } = await sell({})
    const device = newDevice()
    await server.api('POST', `${admin}/keys/rotate`, { body: {} })
    expect(await runApp(device, code)).toMatchObject({ stdout: 'active: EXPORT yes', exitCode: 0 })
    const away = await runApp(device, code, { BASE_URL: 'http://127.0.0.1:9/t/acme' })
    expect(away).toMatchObject({ stdout: 'nobody answers: try again later', exitCode: 3 })
    expect(await runApp(device, '')).toMatchObject({ stdout: 'active: EXPORT yes', exitCode: 0 })
  })

  /** Takes away the seat that was taken last. */
  async function revokeLast() {
    const { body } = await server.api('GET', `${admin}/sessions/activations?sortOrder=-activationTime&pageSize=1`)
    await server.api('POST', `${admin}/sessions/activations/${body.items[0].id}/revoke`, { body: { reason: 'lost' } })
  }

  test('an application that keeps up as the page says outlives the loss of its seat', async () => {
    const { code } = await sell({ leaseTime: 'PT2S', graceTime: 'PT1M' })
    const { licence, settings } = newDevice()
    await licence.activate(code)
    await revokeLast()
    const [line = ''] = /^setInterval.*$/m.exec(readFileSync(join(examples, 'shipped-application/README.md'), 'utf8'))!
    const program = `
      import { Licence } from ${JSON.stringify(join(examples, 'shipped-application/licence.ts'))}
      const licence = new Licence(${JSON.stringify(settings)})
      function tellTheUser({ codeName }) {
        console.log(codeName, licence.state())
        process.exit()
      }
      ${line.replace('60_000', '50')}`
    const ended = await execa(process.execPath, ['--input-type=module', '-e', program], { reject: false })
    expect(ended).toMatchObject({ exitCode: 0, stdout: 'license.session_not_valid stopped' })
  })

  test('a seat that the vendor takes away stops the device at its next check-in', async () => {
    const { code } = await sell({})
    const { licence } = newDevice()
    await licence.activate(code)
    await revokeLast()
    await expect(licence.checkIn()).rejects.toMatchObject({ codeName: 'license.session_not_valid' })
    expect(licence.state()).toBe('stopped')
    await expect(newDevice().licence.activate('NO-SUCH-CODE')).rejects.toThrow(Refused)
  })

  test.each([
    ['a gateway forbids', 403, { message: 'Forbidden' }],
    ['a gateway knows no route', 404, { message: 'no Route matched' }],
    ['a gateway has nothing to say', 403, null],
    ['the base URL is wrong', 404, { code: 1004, codeName: 'request.route_not_found' }],
    ['the request is at fault', 400, { code: 2000, codeName: 'license.validation_error' }],
  ])('the licence outlives that %s', async (_name, status, said) => {
    const { code } = await sell({ leaseTime: 'PT2S', graceTime: 'PT1M' })
    const { licence, settings } = newDevice()
    await licence.activate(code)
    const gateway = createServer((_request, answer) => answer.writeHead(status).end(JSON.stringify(said)))
    await once(gateway.listen(0, '127.0.0.1'), 'listening')
    const before = settings.baseUrl
    settings.baseUrl = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`
    await licence.checkIn()
    await expect.poll(() => licence.state(), { timeout: 10_000 }).not.toBe('active')
    expect(await licence.keepUp()).not.toBe('stopped')
    await expect(licence.release()).rejects.toThrow()
    settings.baseUrl = before
    expect(new Licence(settings).state()).not.toBe('stopped')
    gateway.close()
  })

  test('a token of another device, another vendor or another byte is no licence', async () => {
    const { code } = await sell({})
    const { licence, settings } = newDevice()
    await licence.activate(code)
    const token = readFileSync(settings.file, 'utf8')
    expect(verifiedClaims(token, settings)).toMatchObject({ trial: false })
    expect(verifiedClaims(token, { ...settings, fingerprint: 'another' })).toBeUndefined()
    expect(verifiedClaims(token, { ...settings, baseUrl: server.baseUrl('neighbour') })).toBeUndefined()
    const [header = '', payload = '', signature = ''] = token.split('.')
    const forged = Buffer.from(Buffer.from(payload, 'base64url').toString().replace('"trial":false', '"trial":true '))
    expect(verifiedClaims(`${header}.${forged.toString('base64url')}.${signature}`, settings)).toBeUndefined()
  })

  test.runIf(hasPython)('Python verifies the same token, and sees the same forgery', async () => {
    const { code } = await sell({})
    const { licence, settings } = newDevice()
    await licence.activate(code)
    writeFileSync(keys, (await server.api('GET', '/.well-known/jwks.json', { token: null })).text)
    expect(JSON.parse((await python('token', settings.file, keys)).stdout)).toMatchObject({ aud: server.baseUrl() })
    const forged = join(directory, 'forged.jwt')
    writeFileSync(
      forged,
      readFileSync(settings.file, 'utf8').replace(/\.(.)/, (_, first) => `.${first === 'e' ? 'f' : 'e'}`),
    )
    expect(await python('token', forged, keys)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('not valid'),
    })
  })

  /** Sells a licence to a device without a network: its response, the same with another payload, and the key, as files. */
  async function sellOffline() {
    const { code } = await sell({})
    const artifact = {
      meta: { schemaVersion: 1, nonce: Buffer.alloc(32, 7).toString('base64url'), requestedAt: '2026-01-01T00:00:00Z' },
      body: { activationCode: code, fingerprint: 'air-gapped' },
    }
    const answer = await server.api('POST', '/api/v1/provision/operational/activations/offline/issue', {
      body: artifact,
    })
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)])
    const license = await server.api('POST', '/api/v1/provision/activations/license', {
      token: null,
      body: { activationCode: code, fingerprint: 'online' },
    })
    const altered = { ...answer.body, signedPayload: answer.body.signedPayload.replace(/^./, 'f') }
    return {
      nonce: artifact.meta.nonce,
      response: put('response.json', answer.text),
      altered: put('altered.json', JSON.stringify(altered)),
      pem: put('offline.pem', license.body.offlinePublicKey.pem),
    }
  }

  test('an offline response is verified by openssl alone, by the key that it names', async () => {
    await server.api('POST', `${admin}/keys/rotate`, { body: { purpose: 'offline' } })
    const { nonce, response, altered, pem } = await sellOffline()
    const jwks = put('jwks.json', (await server.api('GET', '/.well-known/jwks.json', { token: null })).text)
    const page = readFileSync(join(examples, 'offline-verification/README.md'), 'utf8')
    const recipe = /^node -p '[^']+'/m.exec(page)![0]
    expect(execFileSync('sh', ['-c', recipe], { cwd: dirname(jwks), encoding: 'utf8' }).trim()).toBe(
      readFileSync(pem, 'utf8').trim(),
    )
    const shell = join(examples, 'offline-verification/verify.sh')
    const licence = JSON.parse(execFileSync('sh', [shell, response, pem], { encoding: 'utf8', stdio: 'pipe' }))
    expect(licence).toMatchObject({ schemaVersion: 1, nonce })
    expect(spawnSync('sh', [shell, altered, pem]).status).toBe(2)
    for (const files of [
      ['missing', pem],
      [response, 'missing'],
    ])
      expect(spawnSync('sh', [shell, ...files])).toMatchObject({ status: 1, stdout: Buffer.alloc(0) })
  })

  test.runIf(hasPython)('an offline response is verified by Python', async () => {
    const { response, altered, pem } = await sellOffline()
    expect((await python('response', response, pem)).exitCode).toBe(0)
    expect((await python('response', altered, pem)).exitCode).toBe(2)
    for (const files of [['missing', pem] as const, [response, 'missing'] as const])
      expect(await python('response', ...files)).toMatchObject({
        exitCode: 1,
        stderr: expect.stringMatching(/^\[Errno/),
      })
  })

  test.runIf(hasPython).each([
    ['a token of lists', 'token', 'W10.W10.W10'],
    ['a token that is no token', 'token', 'W10'],
    ['a token whose header nests deeply', 'token', `${Buffer.from('['.repeat(99_999)).toString('base64url')}.e30.e30`],
    ['a token that is no text', 'token', Buffer.from([0xff, 0xfe])],
    ['an empty response', 'response', '{}'],
    ['a response of a list', 'response', '[]'],
    ['a response with numbers', 'response', '{"signedPayload":1,"signature":2}'],
    ['half a response', 'response', '{"signedPayload":"e30",'],
  ])('Python says that %s is not valid', async (_name, form, licence) => {
    const { exitCode, stdout, stderr } = await python(form, put('damaged', licence), keys)
    expect([exitCode, stdout, stderr]).toEqual([2, '', expect.stringMatching(/^not valid: .+$/)])
  })
})

describe('an outage', () => {
  forEachStore((store) => {
    test('does not stop the application until grace ends', async () => {
      const server = await startTestServer(store)
      const directory = mkdtempSync(join(tmpdir(), 'licet-outage-'))
      const keys = join(directory, 'keys.json')
      writeFileSync(keys, (await server.api('GET', '/.well-known/jwks.json', { token: null })).text)
      const licensePolicy = { leaseTime: 'PT2S', graceTime: 'PT2S' }
      const made = await server.api('POST', `${admin}/entitlements`, {
        body: { name: 'Sold', status: 'Active', licensePolicy },
      })
      const code = await server.api('POST', `${admin}/entitlements/${made.body.id}/activation-codes`, { body: {} })
      const env = { BASE_URL: server.baseUrl(), KEYS: keys, FINGERPRINT: 'one', LICENCE: join(directory, 'one.jwt') }
      const app = execa(process.execPath, [join(examples, 'shipped-application/app.ts')], {
        env: { ...env, ROUNDS: '100', PAUSE_MS: '200' },
        input: code.body.activationCode,
      })
      let isStopped = false
      const said: string[] = []
      for await (const line of app) {
        said.push(line)
        if (!isStopped) await server.close()
        isStopped = true
      }
      rmSync(directory, { recursive: true, force: true })
      const states = said.map((line) => line.split(':')[0])
      expect([...new Set(states.slice(1))].at(-1)).toBe('stopped')
      expect(states).toContain('in grace')
      expect(states.indexOf('stopped')).toBe(states.length - 1)
    })
  })
})
