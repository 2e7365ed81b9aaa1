import { once } from 'node:events'
import { expect, test } from 'vitest'
import { openDatabase } from '../../../server/database/open.ts'
import { everyScope, furnishedDatabase, requestToken } from '../../support/server.ts'
import { originOf, serverProcesses } from '../../support/server-processes.ts'
import { forEachStore } from '../../support/stores.ts'

const admin = '/api/v1/provision/admin'

forEachStore((store) => {
  const start = serverProcesses()

  test('a code stands in no line of the log, in no refusal and in no row', async () => {
    const { databaseUrl, clients } = await furnishedDatabase(store)
    // The most that it logs.
    const server = start(databaseUrl, 'debug')
    let logged = ''
    server.stderr!.on('data', (part: Buffer) => {
      logged += part.toString()
    })
    const base = `${await originOf(server)}/t/acme`
    const token = await requestToken(base, clients.acme, everyScope)
    const refusals: string[] = []
    const send = async (method: string, path: string, body: object) => {
      const headers = {
        'content-type': 'application/json',
        authorization: `Bearer ${token}`,
        'idempotency-key': `secrecy-${path}-${JSON.stringify(body).length}`,
      }
      const answer = await fetch(`${base}${admin}${path}`, { method, headers, body: JSON.stringify(body) })
      const text = await answer.text()
      if (!answer.ok) refusals.push(text)
      return answer.ok ? JSON.parse(text) : answer.status
    }
    const database = openDatabase(databaseUrl)
    const { id } = await send('POST', '/entitlements', { name: 'Sold' })
    const codes = `/entitlements/${id}/activation-codes`
    const made = await send('POST', codes, {})
    await send('POST', codes, { activationCode: 'Canary-4711' })
    await send('POST', `${codes}/${made.id}/revoke`, {})
    expect(await send('POST', codes, { activationCode: ' canary-4711' })).toBe(409)
    expect(await send('POST', codes, { activationCode: 'Canary-4711\n' })).toBe(400)
    const rows = JSON.stringify([
      await database.read.selectFrom('activation_codes').selectAll().execute(),
      await database.read.selectFrom('idempotency_records').selectAll().execute(),
      await database.read.selectFrom('events').selectAll().execute(),
      await database.read.selectFrom('audit_entries').selectAll().execute(),
    ])
    await database.close()
    server.kill('SIGTERM')
    await once(server, 'close')
    expect(logged).toContain('admin.entitlements.activationCodes.issue')
    expect(rows).toContain(made.id)
    expect(refusals).toHaveLength(2)
    for (const secret of [
      'canary-4711',
      made.activationCode.toLowerCase(),
      made.activationCode.replaceAll('-', '').toLowerCase(),
    ])
      for (const place of [logged, rows, ...refusals]) expect(place.toLowerCase()).not.toContain(secret)
  })
})
