import { expect, test } from 'vitest'
import { openDatabase } from '../../../server/database/open.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { must, problemOf } from '../catalog/catalog-collection.ts'
import { openReceiver } from './receiver.ts'

const path = '/api/v1/webhooks/admin/subscriptions'

forEachStore((store) => {
  const server = serveTests(store)
  const post = (url: string) => server.api('POST', path, { body: { url, eventTypes: ['*'] } })

  test('unless the server is told otherwise endpoints are public, and plain http is none', async () => {
    for (const url of ['http://crm.example.com/', 'https://127.1/', 'https://localhost/', server.baseUrl()]) {
      const refused = await post(url)
      expect([url, problemOf(refused)]).toEqual([url, [400, 'license.validation_error']])
      expect(refused.body.errors).toMatchObject([{ pointer: '/url' }])
    }
    await must(post('https://crm.example.com/hook'))
  })

  test('one that was made where private endpoints were allowed is not called, and may still be renamed', async () => {
    const receiver = await openReceiver()
    const { id } = await must(post('https://crm.example.com/hook'))
    const database = openDatabase(server.databaseUrl)
    await database.transact((tx) =>
      tx.updateTable('webhook_subscriptions').set({ url: receiver.url }).where('id', '=', id).execute(),
    )
    await database.close()
    const refused = await server.api('POST', `${path}/${id}/verify`)
    expect(problemOf(refused)).toEqual([400, 'webhook.verification_failed'])
    expect(refused.text).not.toContain('127.0.0.1:'.concat(new URL(receiver.url).port))
    expect(receiver.challenges).toEqual([])
    await must(server.api('PATCH', `${path}/${id}`, { body: { name: 'Old' } }))
    await receiver.close()
  })
})
