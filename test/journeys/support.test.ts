import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { followPage } from '../support/followed-page.ts'
import { type Environments, serveEnvironments, testMasterKey } from '../support/served-environments.ts'
import { forEachStore } from '../support/stores.ts'

const examples = join(import.meta.dirname, '../../examples')
const admin = '/api/v1/provision/admin'

forEachStore(({ createDatabase }) => {
  let here: Environments
  let page: ReturnType<typeof followPage>
  let desk: string

  beforeAll(async () => {
    here = await serveEnvironments(['production'], {
      LICET_DATABASE_URL: await createDatabase(),
      LICET_MASTER_KEY: testMasterKey,
    })
    desk = join(here.home.directory, 'desk')
    mkdirSync(desk)
    page = followPage(join(examples, 'support/README.md'), here.home, desk)
  })
  afterAll(() => here.server.stop())

  async function post(path: string, body: object) {
    const { exitCode, stdout, stderr } = await here.run(['api', 'POST', path, '--env', 'production', '--data', '-'], {
      input: JSON.stringify(body),
    })
    expect(exitCode, stderr).toBe(0)
    return JSON.parse(stdout)
  }

  test('support finds a customer, frees a seat and licenses a machine without a network', {
    timeout: 120_000,
  }, async () => {
    const customer = await post(`${admin}/customers`, { name: 'Umbrella', email: 'it@umbrella.example' })
    const sold = {
      name: 'CAD Team',
      customerId: customer.id,
      status: 'Active',
      licensePolicy: { maxDeviceActivations: 1 },
    }
    const entitlement = await post(`${admin}/entitlements`, sold)
    const { activationCode } = await post(`${admin}/entitlements/${entitlement.id}/activation-codes`, {})
    writeFileSync(join(desk, 'code.txt'), `${activationCode}\n`)
    await post('/api/v1/provision/activations/license', {
      activationCode,
      fingerprint: 'stolen-1',
      deviceName: 'Jo’s laptop',
    })

    const [found] = await page.follow('Find the customer, and see the seats')
    expect(found!.stdout).toMatch(/Umbrella/)
    expect(found!.stdout).toMatch(/Jo’s laptop/)
    const [sessionId] = (
      await page.shell(`licet api GET '${admin}/sessions/activations' --env production --json`)
    ).stdout.match(/(?<="id": ?")[0-9a-f-]{36}/)!
    await page.follow('Free a seat', { SESSION_ID: sessionId })
    await page.follow('At the machine without a network: make a request')
    await page.follow('Issue the licence')
    const first = readFileSync(join(desk, 'response.json'), 'utf8')
    await page.follow('Issue the licence')
    expect(readFileSync(join(desk, 'response.json'), 'utf8')).toBe(first)
    const [, verified, shown, other] = await page.follow('Back at the machine: verify it')
    expect(verified!.stdout).toMatch(/valid/i)
    expect(shown!.stdout).toMatch(/signature/i)
    expect(other!.stdout + other!.stderr).toMatch(/fingerprint|device/i)
    expect(page.followed.filter((part, index) => page.followed.indexOf(part) === index)).toEqual([...page.parts.keys()])
  })
})
