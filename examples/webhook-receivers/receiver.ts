import { createHmac, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify'

/**
 * A receiver of licet's webhooks: POST /webhooks. Copy it, and put your own deeds in. The secret is in WEBHOOK_SECRET, or in the
 * file that WEBHOOK_SECRET_FILE names; HOST, PORT and INBOX (a SQLite file) may say the rest. It may be killed at any time: what
 * was acknowledged is in the inbox, and the rest is sent again.
 */
const { HOST = '127.0.0.1', PORT = '8080', INBOX = 'inbox.db', WEBHOOK_SECRET, WEBHOOK_SECRET_FILE } = process.env

interface Event {
  id: string
  type: string
  time: string
  entityid: string
  data: Record<string, unknown>
}

const longestAge = 5 * 60_000
const roundEvery = 10_000
const challengeType = 'Webhooks.Registration.Challenge'

const secret = (WEBHOOK_SECRET ?? (WEBHOOK_SECRET_FILE ? readFileSync(WEBHOOK_SECRET_FILE, 'utf8') : '')).trim()
const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : Buffer.from(secret)
// By an empty key anybody could sign.
if (key.length === 0) throw new Error('WEBHOOK_SECRET or WEBHOOK_SECRET_FILE is needed')

const inbox = new DatabaseSync(INBOX)
inbox.exec(`
  pragma journal_mode = wal;
  create table if not exists events (id text primary key, body blob not null, applied_at text);
  create table if not exists entitlements (id text primary key, status text not null, time text not null)`)
const keep = inbox.prepare('insert or ignore into events (id, body) values (?, ?)')
const waiting = inbox.prepare('select id, body from events where applied_at is null order by rowid')
const markApplied = inbox.prepare('update events set applied_at = ? where id = ?')
const setStatus = inbox.prepare(`
  insert into entitlements (id, status, time) values (?, ?, ?)
  on conflict (id) do update set status = excluded.status, time = excluded.time where excluded.time >= entitlements.time`)

/** What each type of event does here; every other is acknowledged, and ignored. */
const deeds = new Map<string, (event: Event) => void>([
  ['Entitlement.Activated', (event) => note(event, 'active')],
  ['Entitlement.Cancelled', (event) => note(event, 'cancelled')],
])

/** The newest event of an entitlement says what it is: they need not come in order. Of two at the same time, the later received does. */
function note({ entityid, time }: Event, status: string): void {
  setStatus.run(entityid, status, time)
}

/** What could not be applied, and why: it has its turn again in the next round, and why is said once. */
const failed = new Map<unknown, string>()

/** Text of an event as it can stand in a log, control characters escaped. */
const shown = (text: unknown): string =>
  String(text).replace(/[^ -~]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Applies what waits, each in one transaction with its mark, so once, whatever crashes; what failed before, in a round alone. */
function applyWaiting(isRound: boolean): void {
  for (const { id, body } of waiting.all()) {
    if (failed.has(id) && !isRound) continue
    try {
      const event: Event = JSON.parse(Buffer.from(body as Uint8Array).toString())
      inbox.exec('begin immediate')
      deeds.get(event.type)?.(event)
      markApplied.run(new Date().toISOString(), id!)
      inbox.exec('commit')
      failed.delete(id)
      console.log(`applied ${event.type} ${shown(event.entityid)}`)
    } catch (error) {
      if (inbox.isTransaction) inbox.exec('rollback')
      if (failed.get(id) !== String(error)) console.log(`not applied yet: ${id}: ${shown(error)}`)
      failed.set(id, String(error))
    }
  }
}

const sign = (id: string, stamp: string, body: Uint8Array | string): string =>
  `v1,${createHmac('sha256', key).update(`${id}.${stamp}.`).update(body).digest('base64')}`

/** A stamp as milliseconds, in either of its two forms, whole seconds in both; NaN for any other. */
function instantOf(stamp: string): number {
  if (/^\d{1,12}$/.test(stamp)) return Number(stamp) * 1000
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(stamp) ? Date.parse(stamp) : Number.NaN
}

/** Why a delivery is not to be trusted; nothing where it is. */
function refusal(id: string, stamp: string, signatures: string, body: Buffer): string | undefined {
  // No dot: what is signed can be cut into its three parts in one way only.
  if (!/^[\w-]{1,200}$/.test(id)) return 'webhook-id is missing or malformed'
  if (!(Math.abs(Date.now() - instantOf(stamp)) <= longestAge))
    return 'webhook-timestamp is missing or too far from now'
  const expected = Buffer.from(sign(id, stamp, body))
  const isExpected = (given: Buffer) => given.length === expected.length && timingSafeEqual(given, expected)
  // Two of them while a secret is rotated, with a blank between, or a comma where a proxy joined two headers: any one will do.
  const isSigned = (signatures.match(/v1,[A-Za-z0-9+/]{43}=/g) ?? []).some((one) => isExpected(Buffer.from(one)))
  return isSigned ? undefined : 'no webhook-signature is of this body'
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The event of a body that is signed; nothing where it is none. */
function eventIn(body: Buffer): Event | undefined {
  try {
    const event = JSON.parse(body.toString())
    return typeof event?.type === 'string' && isObject(event.data) ? event : undefined
  } catch {
    return undefined
  }
}

const headerOf = (request: FastifyRequest, name: string): string => String(request.headers[name] ?? '')

function receive(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  const [id, stamp] = [headerOf(request, 'webhook-id'), headerOf(request, 'webhook-timestamp')]
  const why = refusal(id, stamp, headerOf(request, 'webhook-signature'), body)
  if (why) {
    console.log(`refused: ${why}`)
    return reply.code(401).send(why)
  }
  // Whoever signed it is the service. What it is, the body says: of the headers only id and stamp are signed.
  const event = eventIn(body)
  // No second attempt would make an event of it: any 4xx but 408 and 429 is final.
  if (!event) {
    console.log(`no event: ${id}`)
    return reply.code(400).send('no event')
  }
  if (event.type === challengeType) {
    const answer = JSON.stringify({ challenge: event.data.challenge })
    console.log('answered the challenge')
    return reply
      .header('webhook-signature', sign(id, stamp, answer))
      .type('application/json')
      .send(answer)
  }
  if (event.data._test === true) console.log(`test ${shown(event.type)} ${id}`)
  else if (!deeds.has(event.type)) console.log(`ignored ${shown(event.type)} ${id}`)
  else if (keep.run(id, body).changes === 0) console.log(`again ${event.type} ${id}`)
  else setImmediate(applyWaiting, false)
  return reply.code(204).send()
}

const app = fastify({ bodyLimit: 1024 * 1024, requestTimeout: 30_000 })
// The body stays the bytes that were signed: nothing parses it before.
app.removeAllContentTypeParsers()
app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
app.post('/webhooks', receive)

console.log(`listening at ${await app.listen({ host: HOST, port: Number(PORT) })}/webhooks`)
applyWaiting(true)
setInterval(applyWaiting, roundEvery, true)
