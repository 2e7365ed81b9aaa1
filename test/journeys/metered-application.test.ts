import { once } from 'node:events'
import { appendFileSync, cpSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Meter } from '../../examples/metered-application/meter.ts'
import { UsageLog } from '../../examples/metered-application/usage-log.ts'
import { isOutage } from '../../examples/shipped-application/licence.ts'
import { followPage } from '../support/followed-page.ts'
import { type Environments, type Serving, serve, serveEnvironments } from '../support/served-environments.ts'

const examples = join(import.meta.dirname, '../../examples')

let here: Environments
let server: Serving
beforeAll(async () => {
  here = await serveEnvironments(['production'])
  server = here.server
})
afterAll(() => server.stop())

test('usage is asked for, held and noted through an outage, and all of it is counted once', async () => {
  const { directory } = here.home
  for (const example of ['metered-application', 'shipped-application'])
    cpSync(join(examples, example), join(directory, example), { recursive: true })
  const desk = join(directory, 'metered-application')
  const page = followPage(join(desk, 'README.md'), here.home, desk, { BASE_URL: `${server.url}/t/production` })
  const noted = () => readFileSync(join(desk, 'usage.jsonl'), 'utf8').split('\n').slice(0, -1)
  const said = async (part: string) => (await page.follow(part)).map(({ stdout }) => stdout.trim())

  await said('Sell it')
  expect(await said('Before the work: ask')).toEqual([
    '',
    'rendered job-1 (used 30, 70 remain)',
    'rendered job-1 (used 30, 70 remain, decided before)',
    'refused: denied (used 30, 70 remain)',
  ])
  expect(await said('Work whose size is known afterwards: hold')).toEqual(['streamed job-3 (used 42.5, 57.5 remain)'])

  for (const nonsense of ['export', 'export -1', 'render job-9', 'exports 1']) {
    const { exitCode, stderr } = await page.shell(`node app.ts ${nonsense}`)
    expect([nonsense, exitCode, stderr]).toEqual([nonsense, 64, expect.stringMatching(/^usage: .*export COUNT/)])
  }
  const stranger = await page.shell('echo NO-SUCH-CODE | LICENCE=none.jwt node app.ts upload')
  expect(stranger).toMatchObject({
    exitCode: 2,
    stdout: expect.stringMatching(/^refused: license\.not_found: \w.+\n$/),
  })
  const nameless = await page.shell('FINGERPRINT= LICENCE=none.jwt node app.ts upload < code.txt')
  expect(nameless.stdout).toBe('refused: license.validation_error: /fingerprint: must not be empty\n')
  const full = await page.shell('ulimit -f 0; node app.ts export 1')
  expect(full).toMatchObject({ exitCode: 1, stdout: expect.stringMatching(/^failed: EFBIG: .+; 0 noted\n$/) })
  expect(noted()).toEqual([])

  const port = new URL(server.url).port
  server.signal('SIGKILL')
  await server.ended
  expect(await said('Without a network: note it')).toEqual([
    'exported 3; 3 noted',
    'exported 4; 7 noted',
    'nobody answers; 7 noted',
    'nobody answers; 7 noted',
  ])
  const [record, ...others] = noted().map((line) => JSON.parse(line))
  expect([record, ...others].map(({ transactionId }) => transactionId)).toEqual([1, 2, 3, 4, 5, 6, 7])

  server = await serve(here.home, {}, ['--port', port])
  const [uploaded, again, rendered, shown] = await said('The network is back')
  expect([uploaded, again]).toEqual(['uploaded 7; 0 noted', 'uploaded 0; 0 noted'])
  expect(rendered).toBe('rendered job-4 (used 47.5, 52.5 remain)')
  expect(shown).toMatch(/^METRIC.*\nstep-exports +7 /)
  expect(noted()).toEqual([])

  const { sessionId, eventData } = record
  const log = new UsageLog(join(desk, 'usage.jsonl'))
  for (const days of [9.99, 31]) {
    const occurredAt = new Date(Date.now() - days * 86_400_000).toISOString()
    log.append(sessionId, 'UsageReported', { ...JSON.parse(eventData), occurredAt })
  }
  const late = await page.shell('node app.ts upload')
  expect(late.stdout).toMatch(/^not taken: 9: .+\nuploaded 1; 0 noted\n$/)
  expect(late.exitCode).toBe(1)

  // One that was given back is no more open than one that has lapsed.
  const files = { licence: join(desk, 'licence.jwt'), log: join(desk, 'other.jsonl') }
  const meter = new Meter({ baseUrl: `${server.url}/t/production`, ...files })
  const { holdId } = await meter.hold('render-minutes', 10, 'job-5')
  await meter.release(holdId!)
  const stream = async () => (await page.shell('node app.ts stream job-5 10 4.5')).stdout
  expect(await stream()).toBe('streamed job-5, whose hold has lapsed; 1 noted\n')
  expect(await stream()).toBe('streamed job-5, whose hold has lapsed; 1 noted\n')
  expect((await page.shell('node app.ts upload')).stdout).toBe('uploaded 1; 0 noted\n')
  expect(await stream()).toBe('streamed job-5, whose hold has lapsed; 0 noted\n')
  const { stdout: charged } = await page.shell('npx licet usage show --license licence.jwt --metric render-minutes')
  expect(charged).toMatch(/^METRIC.*\nrender-minutes +52 /)
  expect(page.followed).toEqual([...page.parts.keys()])
})

test("a gateway's own answer decides nothing of usage: it is asked again, and is an outage in the end", async () => {
  let asked = 0
  const gateway = createServer((_request, answer) => {
    asked++
    answer.writeHead(403).end('{"message":"Forbidden"}')
  })
  await once(gateway.listen(0, '127.0.0.1'), 'listening')
  const licence = join(here.home.directory, 'gateway.jwt')
  writeFileSync(licence, `e30.${Buffer.from('{"sub":"session"}').toString('base64url')}.`)
  const baseUrl = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`
  const meter = new Meter({ baseUrl, licence, log: join(here.home.directory, 'gateway.jsonl') })
  const error = await meter.consume('render-minutes', 1, 'job').catch((error) => error)
  expect([isOutage(error), asked]).toEqual([true, 4])
  gateway.close()
})

/** Appends to a log what fits into a file of 1024 bytes, and what does not; answers what is said of each. */
async function appendToFull(file: string): Promise<string[]> {
  const program = `
    import { UsageLog } from ${JSON.stringify(join(examples, 'metered-application/usage-log.ts'))}
    const log = new UsageLog(${JSON.stringify(file)})
    for (const size of [200, 2000, 200]) {
      try {
        log.append('session', 'UsageReported', { text: 'x'.repeat(size) })
        console.log('written')
      } catch (error) {
        console.log(error.code)
      }
    }`
  const words = [process.execPath, '--input-type=module-typescript', '-e', program]
  const { stdout } = await execa('bash', ['-c', 'ulimit -f 1; exec "$@"', 'bash', ...words])
  return stdout.split('\n')
}

test('what does not fit on the disk is not in the log, and what is noted after it is', async () => {
  const file = join(here.home.directory, 'full.jsonl')
  expect(await appendToFull(file)).toEqual(['written', 'EFBIG', 'written'])
  const sizes = new UsageLog(file).pending.map(({ eventData }) => JSON.parse(eventData).text.length)
  expect(sizes).toEqual([200, 200])
})

test('a line in the middle that is none is an error, and stays for somebody to look at', () => {
  const file = join(here.home.directory, 'broken.jsonl')
  const log = new UsageLog(file)
  for (let done = 0; done < 3; done++) log.append('session', 'UsageReported', { amount: done })
  const [first = '', second = '', third = ''] = readFileSync(file, 'utf8').split('\n')
  const broken = `${first}\n${second.slice(0, 40)}\n${third}\n`
  writeFileSync(file, broken)
  expect(() => new UsageLog(file)).toThrow(SyntaxError)
  expect(readFileSync(file, 'utf8')).toBe(broken)
})

test('a log that a crash cut short is read up to there, and no id is used again once it was acknowledged', () => {
  const file = join(here.home.directory, 'cut.jsonl')
  const ids = (log: UsageLog) => log.pending.map(({ transactionId }) => transactionId)
  const log = new UsageLog(file)
  for (let done = 0; done < 3; done++) log.append('session', 'UsageReported', { amount: done })
  appendFileSync(file, readFileSync(file, 'utf8').slice(0, 40))
  const begunAgain = new UsageLog(file)
  begunAgain.append('session', 'UsageReported', { amount: 3 })
  expect(ids(new UsageLog(file))).toEqual([1, 2, 3, 4])
  const before = readFileSync(file)
  begunAgain.acknowledge(4)
  expect(ids(new UsageLog(file))).toEqual([])
  // The crash came before the log was rewritten.
  writeFileSync(file, before)
  const afterwards = new UsageLog(file)
  afterwards.append('session', 'UsageReported', { amount: 5 })
  expect(ids(afterwards)).toEqual([5])
})
