import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Environments, serveEnvironments } from '../support/served-environments.ts'
import { hasTerminal, onTerminal } from '../support/terminal.ts'

type Json = ReturnType<typeof JSON.parse>
const never = '0199f000-0000-7000-8000-000000000000'
const fingerprint = (device: string) => createHash('sha256').update(device).digest('hex')

let here: Environments
const run = (...args: string[]) => here.run([...args, '--env', 'desk'])
const must = async (...args: string[]): Promise<Json> => {
  const ended = await run(...args, '--json')
  if (ended.exitCode !== 0) throw new Error(ended.stdout + ended.stderr)
  return ended.json()
}
const post = (path: string, body: object) => here.ask('desk', 'POST', path, body)
async function activate(activationCode: string, device: string): Promise<Json> {
  const answer = await fetch(`${here.server.url}/t/desk/api/v1/provision/activations/license`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ activationCode, fingerprint: fingerprint(device), deviceName: device }),
  })
  if (!answer.ok) throw new Error(await answer.text())
  return answer.json()
}

let customer: Json
/** An entitlement of two seats that the customer has, with its code. */
const sell = (orderId: string, ...more: string[]): Promise<Json> =>
  must('entitlement', 'create', '--from-offer', 'CAD Team@1', '--order-id', orderId, '--activate', '--code', ...more)

beforeAll(async () => {
  here = await serveEnvironments(['desk'])
  await post('entitlements/offers', {
    ...{ name: 'CAD Team', version: '1', status: 'Active', isOffer: true },
    licensePolicy: { licenseModel: 'NodeLocked', maxDeviceActivations: 2 },
    renewalPolicy: { period: 'Yearly' },
  })
  customer = await post('customers', { name: 'Müller, Söhne & Co. (Köln)', email: 'it@mueller.example' })
})
afterAll(() => here.server.stop())

describe("support's day", { timeout: 120_000 }, () => {
  test('a tenant without users says just that', async () => {
    expect((await run('user', 'list')).stdout).toBe('desk has no user yet.\n')
    expect((await run('user', 'list', 'anna')).stdout).toBe('desk has no such user.\n')
  })

  test('a customer calls about a lost laptop and a machine without a network: three commands', async () => {
    const { entitlement, activationCode } = await sell('ORD-1', '--customer', customer.name)
    await activate(activationCode, "Anna's laptop")
    await activate(activationCode, 'Build server')
    here.put('request.json', '')
    const requested = ['offline', 'request', '--activation-code-file', '-', '--fingerprint', fingerprint('Mill 7')]
    await here.run([...requested, '--out', 'request.json', '--force'], { input: activationCode })
    const full = await run('offline', 'issue', 'request.json', '--out', 'response.json')
    expect(full.stderr).toMatch(/seat/)
    expect(full.exitCode).toBe(1)

    const found = await run('entitlement', 'find', 'müller, söhne')
    expect(found.stdout).toMatch(/customer +Müller, Söhne & Co\. \(Köln\) <it@mueller\.example>\n/)
    expect(found.stdout).toMatch(/ codes +1 \(licet code list --entitlement ID\)\n/)
    expect(found.stdout).toContain('\n2 of 2 seats taken:\n')
    const [, sessionId] = /^(\S{36}) +Anna's laptop .* valid$/m.exec(found.stdout) ?? []
    const released = await run('entitlement', 'release', sessionId!)
    expect(released.stdout).toBe(`The seat of Anna's laptop is free (session ${sessionId}).\n`)
    const issued = await run('offline', 'issue', 'request.json', '--out', 'response.json')
    expect(issued.exitCode, issued.stderr).toBe(0)

    expect(JSON.parse(readFileSync(join(here.home.directory, 'response.json'), 'utf8'))).toHaveProperty('signedPayload')
    const { seats } = await must('entitlement', 'show', entitlement.id)
    expect(seats).toMatchObject({ taken: 2, limit: 2, more: false })
    expect(seats.sessions.map(({ isOffline }: Json) => isOffline).sort()).toEqual([false, true])
    for (const { stdout, stderr } of [found, released, issued]) expect(stdout + stderr).not.toContain(activationCode)
  })

  test('who freed a seat, and when, is told afterwards', async () => {
    const { entitlement, activationCode } = await sell('ORD-AUDIT')
    const { session } = await activate(activationCode, 'Old laptop')
    await must('entitlement', 'release', session.id)
    const { total, entries } = await must('audit', '--record', session.id)
    expect(total).toBe(1)
    expect(entries[0]).toMatchObject({ operation: 'admin.sessions.release', recordId: session.id })
    expect(entries[0].after).toHaveProperty('/releasedAt')
    const shown = await here.run(['audit', entries[0].id, '--env', 'desk'], {
      env: { LICET_SINCE: '2100-01-01T00:00:00Z' },
    })
    expect(shown.stdout).toMatch(/^ +to +sessions \S{36}$/m)
    expect(shown.stdout).toMatch(/^ +by +\S.* \(client:\S{36}\)$/m)
    expect(shown.stdout).toMatch(/^ +holdsSeat +true → false$/m)
    const [, client] = /^ +by +(\S.*) \(client:/m.exec(shown.stdout)!
    expect((await must('audit', '--record', session.id, '--actor', client!)).total).toBe(1)
    expect((await run('audit', entries[0].id, '--record', session.id)).stderr).toMatch(/not both/)
    const [stranger, unheard, none, unknown] = await Promise.all([
      run('audit', '--actor', `${client}x`),
      run('audit', '--operation', 'admin.session.release'),
      run('audit', '--operation', 'admin.sessions.release', '--record', never),
      run('audit', '--record', 'ACME-1'),
    ])
    expect([unknown!.exitCode, unknown!.stderr]).toEqual([
      ...[64, 'Error: That is no id of a record.\n  Try: licet audit --json has them as recordId\n'],
    ])
    expect([stranger!.exitCode, stranger!.stderr]).toEqual([
      ...[64, `Error: There is no client of that name.\n  Try: ${client}\n`],
    ])
    expect(unheard!.stderr).toContain('Try: admin.sessions.release')
    expect([unheard!.exitCode, none!.exitCode, none!.stdout]).toEqual([64, 0, 'Nothing of the kind was done.\n'])
    const sold = await run('audit', '--operation', 'admin.offers.*', '--record', entitlement.id)
    expect(sold.stdout).toMatch(/admin\.offers\.fromOffer +entitlements \S{36} +made$/m)
    for (const { stdout, stderr } of [shown, sold]) expect(stdout + stderr).not.toContain(activationCode)
  })

  test('an entitlement is found by whatever the customer says', async () => {
    const order = ['--contact-email', 'carla@found.example', '--name', 'Found by anything']
    const { entitlement, activationCode } = await sell('ORD-(7)|8,null', '--customer', 'it@mueller.example', ...order)
    const user = await must('user', 'create', 'dora@user.example', '--name', 'Dora')
    await post(`entitlements/${entitlement.id}/activation-codes`, { requiredUserId: user.id })
    const { session } = await activate(activationCode, 'Cutter 100%')
    for (const text of [
      'found by ANY',
      'carla@found',
      'ORD-(7)|8,null',
      'cutter 100%',
      fingerprint('Cutter 100%'),
      entitlement.id.toUpperCase(),
      session.id,
    ]) {
      const { entitlements, more } = await must('entitlement', 'find', text)
      expect(
        entitlements.map(({ id }: Json) => id),
        text,
      ).toEqual([entitlement.id])
      expect(more).toBe(false)
    }
    const ofCustomer = await must('entitlement', 'find', customer.id)
    expect(ofCustomer.entitlements[0]).toEqual({
      ...{
        id: entitlement.id,
        name: 'Found by anything',
        status: 'Active',
        subscriptionStatus: 'Active',
        plan: null,
      },
      ...{ seats: { taken: 1, limit: 2 }, endsAt: expect.stringMatching(/Z$/) },
      ...{ customer: { id: customer.id, name: customer.name }, orderId: 'ORD-(7)|8,null' },
    })
    expect(ofCustomer.entitlements).toHaveLength(2)
    expect(ofCustomer.shown).toBeNull()
    const { shown } = await must('entitlement', 'find', 'ORD-(7)|8,null')
    expect(shown).toEqual(await must('entitlement', 'show', entitlement.id))
    expect(shown.seats.sessions).toMatchObject([{ id: session.id }])
  })

  test('several that are found are listed, and no more than asked for', async () => {
    for (const order of ['LIST-1', 'LIST-2', 'LIST-3']) await sell(order)
    const { stdout } = await run('entitlement', 'find', 'list-', '--limit', '2')
    expect(stdout.split('\n')[0]).toMatch(/^ENTITLEMENT +NAME +CUSTOMER +STATUS +PLAN +SEATS +UNTIL +ORDER$/)
    expect(stdout).toMatch(/ LIST-3\n.* LIST-2\nThere may be more: .*\n$/)
    const none = await run('entitlement', 'find', 'LIST-_')
    expect([none.exitCode, none.stdout]).toEqual([0, 'desk has no entitlement that "LIST-_" leads to.\n'])
  })

  test('an entitlement goes through its life, and what cannot be is refused', async () => {
    const { entitlement } = await must('entitlement', 'create', '--from-offer', 'CAD Team')
    const { id } = entitlement
    const step = async (...args: string[]) => {
      const { status, error } = (await run('entitlement', ...args, id, '--json')).json()
      return status ?? error.codeName
    }
    expect([entitlement.status, entitlement.name]).toEqual(['Draft', 'CAD Team'])
    expect(await step('resume')).toBe('catalog.invalid_transition')
    expect(await step('activate')).toBe('Active')
    expect(await step('suspend')).toBe('Suspended')
    expect(await step('resume')).toBe('Active')
    const until = '2099-12-31T00:00:00.000Z'
    expect(await must('entitlement', 'renew', id, '--until', until)).toMatchObject({ expirationDateTime: until })
    expect(await step('restart-trial')).toBe('catalog.invalid_transition')
    expect(await step('cancel')).toBe('cli.answer_needed')
    expect((await run('entitlement', 'cancel', id, '--yes')).stdout).toBe('CAD Team is Cancelled.\n')
    expect(await step('renew')).toBe('catalog.invalid_transition')
  })

  test('one without an end is renewed when it is said until when, or by how many periods', async () => {
    const trialPolicy = { enabled: true, duration: 'P14D' }
    await post('entitlements/offers', { name: 'For ever', status: 'Active', isOffer: true, trialPolicy })
    const { entitlement } = await must('entitlement', 'create', '--from-offer', 'For ever', '--activate')
    const refused = await run('entitlement', 'renew', entitlement.id)
    const words =
      /neither an expiry nor a renewal policy[\s\S]*Try: --until .*--periods.* licet entitlement restart-trial/
    expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringMatching(words)])
    const renewed = await run('entitlement', 'renew', entitlement.id, '--periods', '1')
    const help = (await here.run(['entitlement', 'renew', '--help'])).stdout.replace(/\s+/g, ' ')
    expect(help).toContain('How many of its periods; 1 by default, where it has a renewal policy or an end.')
    expect(renewed.stdout).toMatch(/^For ever is Active; it ends \d{4}-\d\d-\d\dT.* \(in .*\)\.\n$/)
  })

  test('a cancelled entitlement is shown though its customer is gone', async () => {
    const gone = await post('customers', { name: 'Gone Ltd' })
    const { entitlement } = await sell('ORD-GONE', '--customer', 'gone ltd')
    await must('entitlement', 'cancel', entitlement.id, '--yes')
    await here.ask('desk', 'DELETE', `customers/${gone.id}`)
    expect(await must('entitlement', 'show', entitlement.id)).toMatchObject({ customer: null })
    expect((await run('entitlement', 'find', 'ORD-GONE')).stdout).toMatch(/status +Cancelled\n/)
  })

  test('a device that was revoked and blocked stays out until it is unblocked', async () => {
    const { entitlement, activationCode } = await sell('ORD-BLOCK')
    const { session, token } = await activate(activationCode, 'Stolen')
    const asked = await run('entitlement', 'revoke', session.id)
    expect(asked.stderr).toMatch(/Revoke the session of Stolen in desk\?[\s\S]*--yes/)
    const how = ['--reason', 'stolen', '--block-device', '--yes']
    expect(await must('entitlement', 'revoke', session.id, ...how)).toMatchObject({
      notValidBecause: 'revoked: stolen',
    })
    await expect(activate(activationCode, 'Stolen')).rejects.toThrow('license.device_not_allowed')
    const heard = await here.run(['license', 'check-in', '-', '--env', 'desk'], { input: token })
    expect([heard.exitCode, heard.stderr]).toEqual([2, expect.stringContaining('licet entitlement unblock')])
    const shown = await run('entitlement', 'show', entitlement.id, '--all')
    expect(shown.stdout).toMatch(/\n0 of 2 seats taken:\n[\s\S]* Stolen .* revoked: stolen\n$/)
    expect((await must('entitlement', 'show', entitlement.id)).seats.sessions).toEqual([])
    expect((await run('entitlement', 'unblock', session.id)).stdout).toBe('Stolen may activate again.\n')
    await activate(activationCode, 'Stolen')
  })

  test('a session that is not valid says why', async () => {
    const { entitlement, activationCode } = await sell('ORD-WHY')
    const { session } = await activate(activationCode, 'One')
    await activate(activationCode, 'Two')
    await must('entitlement', 'suspend', entitlement.id)
    await must('entitlement', 'release', session.id)
    const { seats } = await must('entitlement', 'show', entitlement.id, '--all')
    const why = Object.fromEntries(seats.sessions.map((seat: Json) => [seat.deviceName, seat.notValidBecause]))
    expect(why).toEqual({ One: 'released', Two: 'entitlement suspended' })
  })
})

describe('codes', { timeout: 120_000 }, () => {
  test('the new code is alone on stdout, and is listed to be handed out', async () => {
    const { entitlement } = await must('entitlement', 'create', '--from-offer', 'CAD Team', '--activate')
    const of = ['--entitlement', entitlement.id]
    expect((await run('code', 'list', ...of)).stdout).toMatch(
      /^It has no activation code yet\.\nNext: licet code create/,
    )
    const made = await run('code', 'create', ...of, '--max-devices', '1', '--email', 'eve@codes.example')
    expect(made.stdout).toMatch(/^[0-9A-Z]{5}(-[0-9A-Z]{5}){3}\n$/)
    expect(made.stderr).not.toContain(made.stdout.trim())
    await activate(made.stdout.trim(), 'By code')
    const { total, codes } = await must('code', 'list', ...of)
    expect([total, codes[0]]).toMatchObject([
      1,
      { activationCode: made.stdout.trim(), status: 'Exhausted', usedActivations: 1, email: 'eve@codes.example' },
    ])
    expect((await run('code', 'list', ...of)).stdout).toMatch(/ Exhausted +1 of 1 +eve@codes\.example\n$/)

    const asked = await run('code', 'revoke', codes[0].id, ...of, '--json')
    expect(asked.json().error).toMatchObject({ codeName: 'cli.answer_needed', hint: '--yes' })
    expect(await must('code', 'revoke', codes[0].id, ...of, '--yes')).toMatchObject({ status: 'Revoked' })
    expect(await must('code', 'delete', codes[0].id, ...of, '--yes')).toEqual({ deleted: codes[0].id })
    expect((await must('code', 'list', ...of)).total).toBe(0)
  })
})

describe('users', { timeout: 120_000 }, () => {
  test('a user is made, found, assigned, shown with devices, and unassigned', async () => {
    const user = await must('user', 'create', 'Fay@users.example', '--name', 'Fay', '--verified')
    const taken = await run('user', 'create', 'fay@USERS.example')
    expect([taken.exitCode, taken.stderr]).toEqual([
      1,
      expect.stringContaining('Try: licet user show fay@USERS.example --env desk\n'),
    ])
    expect((await must('user', 'list', 'users.exam')).users).toMatchObject([{ id: user.id, emailVerified: true }])
    const { entitlement, activationCode } = await sell('ORD-USER')
    await activate(activationCode, 'Not hers')
    const of = ['--entitlement', entitlement.id]
    for (const who of ['fay@users.EXAMPLE', user.id])
      expect(await must('user', 'assign', who, ...of)).toEqual({
        ...{ userId: user.id, entitlementId: entitlement.id, assigned: true },
      })
    expect((await run('user', 'show', user.id)).stdout).toMatch(
      /state +verified\n[\s\S]*No device has been activated.*find [-\w]{36} --env desk\n/,
    )
    for (const who of ['fay@users', user.id]) {
      const found = await run('entitlement', 'find', who, '--json')
      expect(found.json().entitlements.map(({ id }: { id: string }) => id)).toEqual([entitlement.id])
    }
    const tokens = `/api/v1/provision/operational/users/${user.id}/tokens`
    const { access_token: token } = await must('api', 'POST', tokens, '--data', '{}')
    const activated = await fetch(`${here.server.url}/t/desk/api/v1/provision/activations/license`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ useInteractiveUser: true, fingerprint: fingerprint('Tablet'), deviceName: 'Tablet' }),
    })
    expect(activated.status).toBe(200)
    const shown = await must('user', 'show', 'fay@users.example')
    expect(shown).toMatchObject({ user: { id: user.id }, sessions: [{ deviceName: 'Tablet' }], more: false })
    expect(JSON.stringify(shown)).not.toContain('activationCode')
    expect((await must('entitlement', 'find', 'FAY@')).entitlements).toMatchObject([{ id: entitlement.id }])
    expect((await must('user', 'unassign', 'fay@users.example', ...of)).assigned).toBe(false)
    const again = await run('user', 'unassign', user.id, ...of)
    expect([again.exitCode, again.stderr]).toEqual([
      1,
      expect.stringMatching(/^Error: fay@users\.example is not assigned to the entitlement/im),
    ])
  })
})

describe('wrong input', { timeout: 120_000 }, () => {
  test.each<[string, string[], number, RegExp]>([
    ['an empty text', ['entitlement', 'find', ' '], 64, /empty/],
    ['a name for an id', ['entitlement', 'show', 'Acme'], 64, /no id of an entitlement[\s\S]*licet entitlement find/],
    ['an id of nothing', ['entitlement', 'show', never], 1, /No entitlement|no entitlement|environment/],
    ['a session of nothing', ['entitlement', 'release', never], 1, /session/],
    ['a code for its id', ['code', 'revoke', 'ABCDE-12345', '--entitlement', never, '--yes'], 64, /no id of an activ/],
    ['a day that is none', ['entitlement', 'renew', never, '--until', 'tomorrow'], 64, /--until is no date-time/],
    [
      'two ways to renew',
      ['entitlement', 'renew', never, '--until', '2099-01-01T00:00:00Z', '--periods', '2'],
      64,
      /periods/,
    ],
    ['a code for no device', ['code', 'create', '--entitlement', never, '--max-devices', '0'], 64, /max-devices/],
    ['no offer', ['entitlement', 'create'], 64, /from-offer/],
    [
      'an offer that is not there',
      ['entitlement', 'create', '--from-offer', 'CAD Team@9'],
      1,
      /No offer is called "CAD Team@9"[\s\S]*licet api GET \S+offers/,
    ],
    [
      'an unknown customer',
      ['entitlement', 'create', '--from-offer', 'CAD Team', '--customer', 'x'],
      1,
      /No customer is called "x"[\s\S]*licet api POST/,
    ],
    ['an unknown user', ['user', 'show', 'nobody@x.example'], 1, /No user has the e-mail address/],
  ])('%s is refused', async (_name, args, exitCode, message) => {
    const ended = await run(...args)
    expect(ended.stderr).toMatch(message)
    expect(ended.stderr).not.toContain('ABCDE-12345')
    expect(ended.exitCode).toBe(exitCode)
    expect(ended.stdout).toBe('')
  })

  test('an offer is found by its name, and its version, though there is an @ in them', async () => {
    for (const version of ['1@2', '3'])
      await post('entitlements/offers', { name: 'Team @ Home', version, status: 'Active' })
    for (const named of ['Team @ Home', 'Team @ Home@3', 'Team @ Home@1@2'])
      expect((await must('entitlement', 'create', '--from-offer', named)).entitlement).toMatchObject({
        name: 'Team @ Home',
        version: named.slice('Team @ Home@'.length) || '3',
      })
  })

  test('two customers of one name are told apart by their ids', async () => {
    const twins = [
      await post('customers', { name: 'Twin' }),
      await post('customers', { name: 'twin', email: 't@t.example' }),
    ]
    const refused = await run('entitlement', 'create', '--from-offer', 'CAD Team', '--customer', 'TWIN')
    expect(refused.stderr).toContain('2 customers are called "TWIN".')
    for (const { id } of twins) expect(refused.stderr).toContain(id)
    expect(
      (await must('entitlement', 'create', '--from-offer', 'CAD Team', '--customer', twins[1].id)).entitlement,
    ).toMatchObject({ customerId: twins[1].id })
  })

  test('what others wrote cannot act on the terminal, and fits into 80 columns of one', {
    skip: !hasTerminal,
  }, async () => {
    const { entitlement, activationCode } = await sell(
      'ORD-\u001b[2J',
      '--name',
      `Long ${'and longer '.repeat(12)}\u202eend`,
    )
    await activate(activationCode, `\u001b[31mRed ${'wide '.repeat(20)}`)
    const { id } = entitlement
    await sell('ORD-2')
    for (const [args, said] of [
      [['entitlement', 'find', 'ORD-'], 'order ORD-\\x1b[2J'],
      [['entitlement', 'show', id], '\\x1b[31mRed wide'],
      [['code', 'list', '--entitlement', id], activationCode],
    ] as const) {
      const { screen, ended } = await onTerminal([...args, '--env', 'desk', '--no-color'], {
        home: here.home,
        columns: 80,
        rows: 200,
      })
      const { exitCode, written } = await ended
      expect(exitCode).toBe(0)
      for (const sequence of ['\u001b[2J', '\u001b[31m', '\u202e']) expect(written).not.toContain(sequence)
      expect(screen.text()).toContain(said)
      const lines = stripVTControlCharacters(written).split(/[\r\n]+/)
      expect(lines.filter((line) => line.length > 80)).toEqual([])
    }
  })
})
