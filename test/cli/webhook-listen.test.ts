import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Environments, serveEnvironments } from '../support/served-environments.ts'
import { problem, standIn } from './tenant-stand-in.ts'

const binary = join(import.meta.dirname, '../../bin/licet.js')
type Json = ReturnType<typeof JSON.parse>

let here: Environments
let endpoint: Server
let answers: number[] = []
const endpointUrl = () => `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/hooks`
beforeAll(async () => {
  here = await serveEnvironments(['desk'], { LICET_ALLOW_PRIVATE_WEBHOOKS: '1' })
  endpoint = createServer((_, response) => response.writeHead(answers.shift() ?? 200).end('no \u001b[31mthanks\n'))
  endpoint.listen(0, '127.0.0.1')
  await once(endpoint, 'listening')
})
afterAll(async () => {
  endpoint.close()
  await here.server.stop()
})

const run = async (...args: string[]): Promise<Json> => {
  const ended = await here.run([...args, '--env', 'desk', '--json'])
  if (ended.stdout === '') throw new Error(ended.stderr)
  return ended.json()
}
const sell = (name: string) => here.ask('desk', 'POST', 'entitlements', { name, status: 'Active' })
const subscriptions = async () => (await run('webhook', 'list')).subscriptions

/** `licet webhook listen`, and what it has said. */
function listen(args: string[], env: Record<string, string> = {}) {
  const child = execa(process.execPath, [binary, 'webhook', 'listen', ...args], {
    cwd: here.home.directory,
    extendEnv: false,
    env: { ...here.home.variables, ...env },
    reject: false,
  })
  const said = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) child[name].on('data', (text) => (said[name] += text))
  return {
    said,
    child,
    /** The first match of what it says. */
    async says(name: 'stdout' | 'stderr', words: RegExp): Promise<string> {
      for (;;) {
        const found = words.exec(said[name])
        if (found) return found[1] ?? found[0]
        await Promise.race([once(child[name], 'data'), child.then(() => Promise.reject(new Error(said.stderr)))])
      }
    },
  }
}

describe('licet webhook listen --subscribe', { timeout: 30_000 }, () => {
  test('subscribes, is verified, prints what happens as it happens, and leaves nothing behind on Ctrl-C', async () => {
    const { says, child, said } = listen([
      '--subscribe',
      'Entitlement.*',
      '--env',
      'desk',
      '--forward-to',
      endpointUrl(),
    ])
    const id = await says('stderr', /Next: licet webhook test-fire (\S+) Entitlement\.Activated --env desk$/m)
    expect(await subscriptions()).toMatchObject([{ id, status: 'Active', eventTypes: ['Entitlement.*'] }])
    answers = [500, 200]
    const { id: entitlementId } = await sell('first')
    const about = `Entitlement\\.Activated  entitlement ${entitlementId}`
    await says('stdout', new RegExp(`Z  ${about}  \\d+ ms  → 500 in \\d+ ms\n`))
    await says('stdout', new RegExp(`Z  ${about}  attempt 2  again  \\d+ m?s  → 200 in \\d+ ms\n`))
    child.kill('SIGINT')
    expect((await child).exitCode).toBe(0)
    expect(said.stderr).toMatch(new RegExp(`\nRemoved the subscription ${id}\\.\n$`))
    expect(await subscriptions()).toEqual([])
    expect(said.stdout + said.stderr).not.toContain('whsec_')
  })

  test('a subscription that is not Active is sent no test, and told how it becomes so', async () => {
    const { id } = await run('webhook', 'subscribe', endpointUrl(), '--event', '*')
    const { error } = await run('webhook', 'test-fire', id, 'User.Erased')
    expect(error).toMatchObject({ codeName: 'catalog.invalid_transition' })
    expect(error.hint).toContain(`licet webhook check ${id}`)
    await run('webhook', 'remove', id, '--yes')
  })

  test('--json is an object a line, with the whole event; the end of a pipe on stdin ends it', async () => {
    const { says, child, said } = listen(['--subscribe', '*', '--env', 'desk', '--json'])
    const id = await says('stdout', /"subscriptionId":"([^"]+)","url"/)
    const fired = await run('webhook', 'test-fire', id, 'User.Erased', '--wait')
    child.stdin.end()
    expect((await child).exitCode).toBe(0)
    const lines = said.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.map(({ event }) => event)).toEqual(['listening', 'challenge', 'subscribed', 'delivery'])
    expect(fired.delivery).toMatchObject({ status: 'Delivered', attempts: [{ attempt: 1, status: 204 }] })
    expect(lines[3]).toMatchObject({ id: fired.eventId, isTest: true, isAgain: false, envelope: fired.delivery.event })
    expect(await subscriptions()).toEqual([])
  })

  test.each([
    ['before the subscription is made', /Subscribing/],
    ['while the endpoint is challenged', /Waiting for the endpoint/],
  ])('interrupted %s it leaves nothing behind', async (_, moment) => {
    const { says, child } = listen(['--subscribe', '*', '--env', 'desk', '--public-url', endpointUrl()])
    await says('stderr', moment)
    child.kill('SIGTERM')
    await child
    expect(await subscriptions()).toEqual([])
  })

  test('whose URL is refused says how a server or a tunnel lets it through', async () => {
    const server = await standIn({
      '*': (_, out) =>
        problem(out, 400, 2000, 'license.validation_error', 'The URL is not public.', {
          errors: [{ pointer: '/url', message: 'x' }],
        }),
    })
    const { child } = listen(['--subscribe', '*'], server.variables)
    const { exitCode, stderr } = await child
    await server.close()
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/The URL is not public[\s\S]*--allow-private-webhooks[\s\S]*--public-url/)
  })

  test('that cannot be removed is named, with the command that removes it', async () => {
    const id = '0199f000-0000-7000-8000-00000000000b'
    const subscription = { id, url: 'https://x.example', eventTypes: ['*'], status: 'Active' }
    const data = (out: Parameters<typeof problem>[0]) =>
      out.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ result: { data: subscription } }))
    const server = await standIn({
      'POST /trpc/webhooks.subscriptions.create': (_, out) => data(out),
      'POST /trpc/webhooks.subscriptions.verify': (_, out) => data(out),
      '*': (_, out) => problem(out, 503, 9003, 'server.unavailable', 'The server is draining.'),
    })
    const { child, says } = listen(['--subscribe', '*'], server.variables)
    await says('stderr', /Next:/)
    child.kill('SIGINT')
    const { exitCode, stderr } = await child
    await server.close()
    expect(exitCode).toBe(1)
    expect(stderr).toContain('The server is draining.')
    expect(stderr).toContain(`licet webhook remove ${id} --yes`)
  })
})

describe('what an endpoint refuses', { timeout: 30_000 }, () => {
  test('is found, looked at and requeued', async () => {
    const { says, child } = listen(['--subscribe', 'Entitlement.*', '--env', 'desk', '--forward-to', endpointUrl()])
    const id = await says('stderr', /Next: licet webhook test-fire (\S+) Entitlement\.Activated --env desk$/m)
    answers = [400]
    await sell('second')
    await says('stdout', /→ 400/)
    const only = ['--subscription', id, '--env', 'desk']
    const listed = await here.run([
      'webhook',
      'deliveries',
      ...only,
      '--status',
      'DeadLettered',
      '--event',
      'Entitlement.*',
    ])
    const deliveryId = /^(\S{36}) .*Entitlement\.Activated +DeadLettered +1 +400 +/m.exec(listed.stdout)?.[1]
    expect(deliveryId, listed.stdout + listed.stderr).toBeDefined()

    const later = ['--since', '2100-01-01T00:00:00Z']
    expect((await here.run(['webhook', 'deliveries', ...only, ...later])).stdout).toBe('There are none.\n')

    const env = { LICET_SINCE: '2100-01-01T00:00:00Z', LICET_STATUS: 'Pending' }
    const shown = await here.run(['webhook', 'deliveries', deliveryId!, '--env', 'desk'], { env })
    expect(shown.stdout).toMatch(/attempt 1 {2}400 {2}\d+ ms .*\n {4}no \\x1b\[31mthanks\n/)
    expect(shown.stdout).toContain('"type": "Entitlement.Activated"')

    const requeue = ['webhook', 'requeue', deliveryId!, '--env', 'desk', '--json']
    const both = await here.run([...requeue, ...later])
    expect([both.exitCode, both.json().error.message]).toEqual([64, expect.stringMatching(/^Name a delivery, or /)])
    const requeued = await here.run(requeue, { env: { ...env, LICET_SUBSCRIPTION: id } })
    expect(requeued.json()).toMatchObject({ id: deliveryId, status: 'Pending' })
    await says('stdout', /again .*→ 200/)
    const since = '2026-01-01T00:00:00Z'
    expect(await run('webhook', 'requeue', '--subscription', id, '--since', since, '--yes')).toEqual({ requeued: 0 })
    child.kill('SIGINT')
    await child
  })

  test('with --verify is told with the secret that was made, and exits 2', async () => {
    const ended = await here.run([
      'webhook',
      'subscribe',
      endpointUrl(),
      '--event',
      'User.*',
      '--attribute',
      'n=1',
      '--verify',
      '--env',
      'desk',
      '--json',
    ])
    const { id, secret, verification, filter } = ended.json()
    expect(ended.exitCode).toBe(2)
    expect(secret).toMatch(/^whsec_/)
    expect(verification).toMatchObject({ passed: false, codeName: 'webhook.verification_failed' })
    expect(filter.attributes).toEqual({ n: 1 })
    expect(await run('webhook', 'remove', id, '--yes')).toEqual({ removed: id })
  })
})

test('subscribe --verify prints the subscription as it stands once its endpoint has passed', async () => {
  const file = join(here.home.directory, 'webhook-secret.txt')
  await writeFile(file, `whsec_${Buffer.alloc(32, 7).toString('base64')}\n`, { mode: 0o600 })
  const { says, child } = listen(['--secret-file', file, '--port', '0', '--json'])
  const url = await says('stdout', /"url":"([^"]+)"/)
  const made = await run('webhook', 'subscribe', url, '--event', '*', '--secret-file', file, '--verify')
  expect(made.verification).toEqual({ passed: true })
  expect(made).toMatchObject(await run('webhook', 'show', made.id))
  await run('webhook', 'remove', made.id, '--yes')
  child.kill('SIGINT')
  await child
})

test('licet webhook listen without a secret names the ways to give one', async () => {
  const ended = await listen([]).child
  expect(ended.exitCode).toBe(64)
  expect(ended.stderr).toMatch(/--secret-file[\s\S]*--subscribe/)
})
