import { once } from 'node:events'
import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { followPage } from '../support/followed-page.ts'
import { ensureBuilt, freshHome } from '../support/licet-binary.ts'
import { receiversDirectory } from '../support/webhook-receivers.ts'

const home = freshHome()
const desk = join(home.directory, 'webhook-receivers')
const wait = { timeout: 30_000 }
const shipped = ['.gitignore', 'README.md', 'receiver.py', 'receiver.ts', 'verify.sh']

let ports: { receiver: string; server: string }
let page: ReturnType<typeof followPage>
const follow = (part: string) =>
  page.follow(part, {
    '127.0.0.1:8080': `127.0.0.1:${ports.receiver}`,
    '127.0.0.1:7071': `127.0.0.1:${ports.server}`,
    '--port 7071': `--port ${ports.server}`,
    'node ../../bin/licet.js': 'licet',
  })
beforeAll(async () => {
  await ensureBuilt()
  cpSync(receiversDirectory, desk, { recursive: true })
  symlinkSync(join(import.meta.dirname, '../../node_modules'), join(desk, 'node_modules'))
  ports = { receiver: await freePort(), server: await freePort() }
  page = followPage(join(desk, 'README.md'), home, desk, { PORT: ports.receiver })
  await follow('A service to try it with')
})
afterAll(() => {
  for (const name of ['receiver.pid', 'server.pid']) {
    const file = join(desk, name)
    if (existsSync(file)) process.kill(Number(readFileSync(file, 'utf8')))
  }
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
  const received = () => readFileSync(join(desk, 'received.txt'), 'utf8').trimEnd().split('\n')
  const applied = () => received().filter((line) => line.startsWith('applied Entitlement.Activated '))

  await follow('Begin')
  await expect.poll(received, wait).toEqual([`listening at http://127.0.0.1:${ports.receiver}/webhooks`])
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
  await follow('At the end')
  expect(page.followed).toEqual([...page.parts.keys()])
  for (const port of [ports.receiver, ports.server]) {
    const isThere = () => fetch(`http://127.0.0.1:${port}/`).then(Boolean, () => false)
    await expect.poll(isThere, wait).toBe(false)
  }
  const ignored = readFileSync(join(desk, '.gitignore'), 'utf8').split('\n')
  const left = readdirSync(desk).filter((name) => !shipped.includes(name) && name !== 'node_modules')
  const isIgnored = (name: string) =>
    ignored.some((one) => (one.startsWith('*') ? name.endsWith(one.slice(1)) : name === one))
  expect(left.filter((name) => !isIgnored(name))).toEqual([])
})
