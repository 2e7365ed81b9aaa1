import { afterEach, expect, test } from 'vitest'
import type { ChosenEnvironment } from '../../cli/environments/choosing.ts'
import { readEventPattern, requeueDelivery } from '../../cli/tasks/webhook-deliveries.ts'
import { problem, type StandIn, standIn, standInSecret } from '../cli/tenant-stand-in.ts'

let server: StandIn | undefined
afterEach(() => server?.close())

test.each(['*', 'Entitlement.*', 'Entitlement.Activated', 'Webhooks.Registration.*'])(
  '%s names events',
  async (text) => {
    expect(await readEventPattern(text)).toBe(text)
  },
)

test.each(['', '.*', '**', 'Entitlement.', 'Entitlement*', '*.Activated', 'a,b', 'Entitlement.Activated '])(
  '"%s" names no event',
  async (text) => {
    await expect(readEventPattern(text)).rejects.toMatchObject({ codeName: 'cli.usage' })
  },
)

test('who requeues a challenge is told how it is sent anew', async () => {
  server = await standIn({
    '*': (_, out) => problem(out, 409, 2004, 'catalog.invalid_transition', 'A challenge is sent once.'),
  })
  const { url } = server
  const environment: ChosenEnvironment = {
    ...{ name: null, url, clientId: 'cli ent:1', clientSecret: standInSecret, protected: false },
  }
  await expect(requeueDelivery(environment, '0199f000-0000-7000-8000-00000000000b')).rejects.toMatchObject({
    message: 'A challenge is sent once.',
    details: { hint: expect.stringContaining('licet webhook check SUBSCRIPTION') },
  })
})
