import { vi } from 'vitest'
import type { Contract } from '../../server/kit/contract.ts'
import { type Answer, everyScope, furnishedDatabase, startTestServer, type TestServer } from '../support/server.ts'
import type { TestStore } from '../support/stores.ts'
import { contracts } from './contracts.ts'
import { Correspondence } from './correspondence.ts'
import type { Step } from './steps.ts'

type Json = ReturnType<typeof JSON.parse>

/** When the worlds begin: later than now, so that ids made on the thread for heavy operations, by its own clock, come before all others. */
const beginning = Date.parse('2048-02-27T22:30:00Z')

/** What a world answers, in the names that both have in common. */
export interface Told {
  status: number
  body: Json
  isReplayed: boolean
}

/** A server on a store of its own, asked in one of the two ways. */
export interface World {
  /** Its store, and how it is asked. */
  name: string
  ask(step: Step): Promise<Told>
  /** Gets a token anew: by a clock that was moved the one before has expired. */
  renewToken(): Promise<void>
  close(): Promise<void>
}

/**
 * Two worlds that are to answer alike: SQLite asked by REST and PostgreSQL by tRPC, or, by an even seed, the other way round. Both
 * have one clock that stands, so that nothing becomes due but by a step, and time is to the millisecond the same.
 */
export async function openWorlds(sqlite: TestStore, postgres: TestStore, seed: number): Promise<[World, World]> {
  // What every server of the process begins with is furnished at the real time.
  for (const store of [sqlite, postgres]) await furnishedDatabase(store)
  vi.spyOn(Date, 'now').mockReturnValue(beginning)
  const [ofSqlite, ofPostgres] = seed % 2 === 1 ? [askByRest, askByTrpc] : [askByTrpc, askByRest]
  return Promise.all([openWorld(sqlite, ofSqlite), openWorld(postgres, ofPostgres)])
}

type Ask = (server: TestServer, contract: Contract, input: Json, options: Options) => Promise<Told>
type Options = { tenant: 'sandbox'; token: string | null; headers: Record<string, string> }

async function openWorld(store: TestStore, ask: Ask): Promise<World> {
  const server = await startTestServer(store, { publicUrl: 'https://licet.example' })
  const names = new Correspondence()
  let token = server.tokens.sandbox
  const world: World = {
    name: `${store.kind} by ${ask === askByRest ? 'REST' : 'tRPC'}`,
    async ask({ operation, input = {}, token: other, headers = {} }) {
      const contract = contracts.get(operation)!
      const isAnonymous = contract.access === 'anyone' && !contract.eitherToken
      const options = {
        tenant: 'sandbox',
        token: other === undefined ? (isAnonymous ? null : token) : names.toOwn(other),
        headers: { ...headers, accept: 'application/json' },
      } as const
      const told = await ask(server, contract, names.toOwn(input), options)
      // A problem names the path that was asked, which is another for each way to ask.
      if (told.status >= 400) delete told.body.instance
      return { ...told, body: names.toCommon(told.body) }
    },
    async renewToken() {
      token = await server.tokenWith(everyScope, 'sandbox')
    },
    close: () => server.close(),
  }
  await excuseFurniture(world, names)
  return world
}

/** The instants of what was furnished at the real time are each world's own. */
async function excuseFurniture(world: World, names: Correspondence): Promise<void> {
  for (const operation of ['admin.keys.list', 'admin.clients.list', 'admin.audit.list'])
    for (const instant of JSON.stringify(await world.ask({ operation })).match(/2\d{3}-[\d-]+T[\d:.]+Z/g) ?? [])
      names.excuse(instant)
}

async function askByRest(server: TestServer, contract: Contract, input: Json, options: Options): Promise<Told> {
  const { path, query, body } = takeApart(contract, input)
  const isEmpty = body === undefined && contract.body === undefined
  const answer = await server.api(contract.method, path + query, { ...options, ...(!isEmpty && { body: body ?? {} }) })
  return { ...toldBy(answer), body: exactly(answer.text) }
}

/** Where REST has each field of an operation's input. */
function takeApart({ path, params, query, body, bodySlot }: Contract, input: Json) {
  const search = new URLSearchParams()
  const rest: Record<string, Json> = {}
  for (const [name, value] of Object.entries<Json>(input)) {
    if (Object.hasOwn(params?.properties ?? {}, name) || value === undefined) continue
    if (Object.hasOwn(query?.properties ?? {}, name) || !body) search.set(name, String(value))
    else rest[name] = value
  }
  return {
    path: path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(input[name]))),
    query: search.size > 0 ? `?${search}` : '',
    body: bodySlot ? rest[bodySlot] : Object.keys(rest).length > 0 ? rest : undefined,
  }
}

async function askByTrpc(server: TestServer, { name, method }: Contract, input: Json, options: Options): Promise<Told> {
  const answer =
    method === 'GET'
      ? await server.api('GET', `/trpc/${name}?input=${encodeURIComponent(JSON.stringify(input))}`, options)
      : await server.api('POST', `/trpc/${name}`, { ...options, body: input })
  const { result, error } = exactly(answer.text)
  if (error) return { ...toldBy(answer), body: error.data }
  // tRPC has one status for all that succeeds.
  return { ...toldBy(answer), status: result.data === undefined ? 204 : 200, body: result.data }
}

const toldBy = ({ status, headers }: Answer) => ({ status, isReplayed: headers.get('idempotency-replayed') === 'true' })

/** An answer's JSON; a number that is written with other digits than a double would be, as text. */
const exactly = (text: string): Json =>
  text === ''
    ? undefined
    : JSON.parse(text, ((_name: string, value: unknown, { source }: { source: string }) =>
        typeof value === 'number' && String(value) !== source ? `number ${source}` : value) as never)
