import { once } from 'node:events'
import { cpSync, existsSync, readFileSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { followPage } from '../support/followed-page.ts'
import { freshHome, licet } from '../support/licet-binary.ts'
import { type Serving, serve } from '../support/served-environments.ts'
import { receiversDirectory } from '../support/webhook-receivers.ts'

const home = freshHome()
const desk = join(home.directory, 'webhook-receivers')
const wait = { timeout: 30_000 }

let server: Serving
beforeAll(async () => {
  await licet(['tenant', 'create', 'staging', '--sandbox'], { home })
  const scopes = ['--scope', 'admin.*:*', '--scope', 'webhooks.*:*']
  const client = (
    await licet(['client', 'create', '--tenant', 'staging', '--name', 'tests', ...scopes, '--json'], { home })
  ).json()
  server = await serve(home, {}, ['--allow-private-webhooks'])
  const args = ['env', 'add', 'staging', '--url', `${server.url}/t/staging`, '--client-id', client.clientId]
  await licet([...args, '--client-secret-file', '-'], { home, input: client.clientSecret })
})
afterAll(async () => {
  const started = join(desk, 'receiver.pid')
  if (existsSync(started)) process.kill(Number(readFileSync(started, 'utf8')))
  await server.stop()
})

/** A port that nobody listens at. */
async function freePort(): Promise<string> {
  const listening = createServer().listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const address = listening.address()
  listening.close()
  return String(typeof address === 'object' && address?.port)
}

test('the page of the receivers works as written: subscribed, sold, rotated, and brought back after an outage', async () => {
  cpSync(receiversDirectory, desk, { recursive: true })
  symlinkSync(join(import.meta.dirname, '../../node_modules'), join(desk, 'node_modules'))
  const port = await freePort()
  const page = followPage(join(desk, 'README.md'), home, desk, { PORT: port })
  const received = () => readFileSync(join(desk, 'received.txt'), 'utf8').trimEnd().split('\n')
  const follow = (part: string) => page.follow(part, { '127.0.0.1:8080': `127.0.0.1:${port}` })
  const applied = () => received().filter((line) => line.startsWith('applied Entitlement.Activated '))

  await follow('Begin')
  await expect.poll(received, wait).toEqual([`listening at http://127.0.0.1:${port}/webhooks`])
  await follow('Subscribe, and verify')
  expect(received().slice(1)).toEqual([
    'answered the challenge',
    expect.stringMatching(/^test Entitlement\.Activated /),
  ])

  const [sold] = await follow('Sell something')
  await expect.poll(applied, wait).toEqual([`applied Entitlement.Activated ${JSON.parse(sold!.stdout).id}`])
  const before = readFileSync(join(desk, 'secret.txt'), 'utf8')
  await follow('Rotate the secret')
  expect(readFileSync(join(desk, 'secret.txt'), 'utf8')).not.toBe(before)
  await expect.poll(() => applied().length, wait).toBe(2)

  const outage = await follow('After an outage')
  expect(outage.map(({ stdout }) => stdout)).toContain('Requeued 1 delivery.\n')
  await expect.poll(() => applied().length, wait).toBe(3)
  expect(new Set(applied()).size).toBe(3)

  const byHand = await follow('One delivery by hand')
  expect(byHand[3]!.stdout).toMatch(/^signed at 20/)
  expect(received()).toContain('test Entitlement.Activated try-1')
  await follow('Ask back')
  expect(page.followed).toEqual([...page.parts.keys()])
})
