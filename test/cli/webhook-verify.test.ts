import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { freshHome, type Home, type LicetOptions, licet } from '../support/licet-binary.ts'
import { delivery, eventBody, eventId, secret, stamp } from '../support/webhook-deliveries.ts'

const { signature } = delivery()
const other = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const lines = `webhook-id: ${eventId}\nwebhook-timestamp: ${stamp}\nwebhook-signature: ${signature}\nwebhook-delivery-attempt: 2\n`

let home: Home
beforeAll(() => {
  home = freshHome()
  const files = {
    'body.json': eventBody(),
    'pretty.json': JSON.stringify(JSON.parse(eventBody()), null, 2).replace('1.1,', '1.10,'),
    'headers.txt': lines,
    'request.txt': `POST /hooks HTTP/1.1\r\n${lines.replaceAll('\n', '\r\n')}\r\n${eventBody()}`,
    secret: `${secret}\n`,
    secrets: `${other}\n${secret}\n`,
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(home.directory, name), text, { mode: 0o600 })
})
const run = async (line: string, options: Omit<LicetOptions, 'home'> = {}) => {
  const ended = await licet(['webhook', ...line.split(' ')], { home, ...options })
  for (const hidden of [secret, secret.slice(6), other]) expect(ended.stdout + ended.stderr).not.toContain(hidden)
  return ended
}
const at = '--at 2026-08-29T12:00:04Z'

describe('licet webhook verify', () => {
  test('verifies a saved request, by the second secret of a rotation', async () => {
    const verified = await run(`verify --request request.txt --secret-file secrets ${at}`)
    expect(verified.stdout).toMatch(/^VERIFIED {2}signature 1 of 1 fits secret 2 of 2\n/)
    expect(verified.stdout).toMatch(/type +Entitlement\.Activated \(a test event\)\n/)
    expect(verified.stdout).toMatch(/attempt +2\n/)
    expect(verified.stdout).toMatch(/sent +2026-08-29T12:00:00Z \(4 seconds ago\)\n/)
    expect(verified.exitCode).toBe(0)
  })

  test('says of one that is old when it was sent, and how to judge it all the same', async () => {
    const old = await run('verify --body body.json --headers headers.txt --secret-file - --at 2026-08-29T12:05:01Z', {
      input: secret,
    })
    expect(old.stdout).toMatch(/^NOT VERIFIED .*\(too_old\)\n/)
    expect(old.stdout).toMatch(/--at 2026-08-29T12:00:00Z/)
    expect(old.exitCode).toBe(2)
    const again = await run(`verify --body - --headers headers.txt ${at} --tolerance PT4S`, {
      input: eventBody(),
      env: { LICET_WEBHOOK_SECRET: secret },
    })
    expect(again.exitCode).toBe(0)
  })

  test('takes the secret that is piped in, where no file and no variable has one', async () => {
    const line = `verify --body body.json --headers headers.txt ${at}`
    expect((await run(line, { input: `${secret}\n` })).stdout).toMatch(/^VERIFIED/)
    const inUse = await run(line.replace('body.json', '-'), { input: eventBody() })
    expect(inUse.stderr).toMatch(/nobody can be asked/)
  })

  test('answers one document, with what a body that was written again nearly is', async () => {
    const flags = `--id ${eventId} --timestamp ${stamp} --signature ${signature}`
    const refused = await run(`verify --body pretty.json ${flags} --secret-file secret ${at} --json`)
    expect(refused.exitCode).toBe(2)
    expect(refused.json()).toEqual({
      verified: false,
      reason: { code: 'wrong_signature', message: expect.any(String) },
      matched: null,
      age: 4,
      profile: 'Default',
      id: eventId,
      type: null,
      attempt: null,
      isTest: null,
      hints: [
        {
          code: 'body_reserialised',
          message: expect.stringMatching(/raw bytes of the request/),
          signature: 1,
          secret: 1,
        },
      ],
    })
  })

  test.each<[string, string, number, RegExp]>([
    ['no body', 'verify --headers headers.txt --secret-file secret', 64, /Name the body[\s\S]*--request FILE/],
    ['no headers', 'verify --body body.json --id x --secret-file secret', 64, /Name the headers[\s\S]*--signature/],
    ['two kinds of body', 'verify --request request.txt --body body.json --secret-file secret', 64, /without --body/],
    ['stdin twice', 'verify --request - --secret-file -', 64, /Only one of the files/],
    ['a secret on the command line', `verify --request request.txt --secret-file ${secret}`, 64, /never goes on a/],
    [
      'a tolerance of months',
      'verify --request request.txt --secret-file secret --tolerance P1M',
      64,
      /counts in months/,
    ],
    [
      'a tolerance in other words',
      'verify --request request.txt --secret-file secret --tolerance 0s',
      64,
      /no duration.*PT0S/s,
    ],
    ['no secret', 'verify --request request.txt', 1, /nobody can be asked[\s\S]*LICET_WEBHOOK_SECRET/],
    ['a body in the place of headers', 'verify --body body.json --headers secret --secret-file secret', 1, /no header/],
    ['a file that is not there', 'verify --request none --secret-file secret', 1, /none: no such file/],
  ])('is refused with %s', async (_, line, exitCode, message) => {
    const refused = await run(line)
    expect(refused.stderr).toMatch(message)
    expect(refused.exitCode).toBe(exitCode)
  })
})

test('licet webhook sign makes headers that verify reads, as lines and as JSON', async () => {
  const options = { env: { LICET_WEBHOOK_SECRET: secret } }
  const signed = await run('sign --body body.json --profile StandardWebhooks', options)
  expect(signed.stdout).toMatch(/^content-type: application\/cloudevents\+json; charset=utf-8\nwebhook-id: 0199/)
  const json = await run('sign --body body.json --json', options)
  for (const { stdout } of [signed, json])
    expect((await run('verify --body body.json --headers -', { ...options, input: stdout })).exitCode).toBe(0)
  const fixed = await run(`sign --body body.json --timestamp ${stamp} --json`, options)
  expect(fixed.json()).toMatchObject({ 'webhook-signature': signature })
  const { id, timestamp, signature: signedAs } = json.json()
  const flags = `--id ${id} --timestamp ${timestamp} --signature ${signedAs}`
  expect((await run(`verify --body body.json ${flags}`, options)).exitCode).toBe(0)
})
