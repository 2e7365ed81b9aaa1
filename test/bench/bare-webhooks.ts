/** The floor of deliveries: a bare undici pool that posts one body again and again, signed each time. Run as a process of its own. */
import { createHmac, randomUUID } from 'node:crypto'
import { Pool } from 'undici'

const [origin, wanted, concurrency] = process.argv.slice(2) as [string, string, string]
const pool = new Pool(origin, { connections: Number(concurrency), pipelining: 1 })
const key = Buffer.alloc(32, 'key')
const body = Buffer.from(JSON.stringify({ specversion: '1.0', data: { text: 'x'.repeat(700) } }))
let left = Number(wanted)

async function post(): Promise<void> {
  const id = randomUUID()
  const timestamp = `${new Date().toISOString().slice(0, 19)}Z`
  const answer = await pool.request({
    method: 'POST',
    path: '/hook',
    headers: {
      'content-type': 'application/cloudevents+json; charset=utf-8',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`,
    },
    body,
  })
  await answer.body.dump()
  if (answer.statusCode !== 204) throw new Error(`the sink answered ${answer.statusCode}`)
}

await Promise.all(
  Array.from({ length: Number(concurrency) }, async () => {
    while (left-- > 0) await post()
  }),
)
await pool.close()
