import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { initTRPC, TRPCError } from '@trpc/server'
import { createHTTPHandler } from '@trpc/server/adapters/standalone'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Problem } from '../../cli/problems.ts'
import { routerClient } from '../../cli/router-client.ts'
import { serverClient } from '../../cli/server-client.ts'
import { compareWith, exportCatalog } from '../../cli/tasks/compare.ts'
import { findEntitlements } from '../../cli/tasks/find-entitlements.ts'
import { json, standIn } from './tenant-stand-in.ts'

// The answer's error is the problem itself, as the contract has it, without tRPC's own fields.
const trpc = initTRPC.create({
  errorFormatter: ({ error }) => ({
    type: 'https://x/docs#1103',
    title: 'Insufficient scope',
    status: 403,
    detail: error.message,
    instance: '/trpc',
    code: 1103,
    codeName: 'auth.insufficient_scope',
  }),
})
const router = trpc.router({
  admin: trpc.router({
    tags: trpc.router({
      list: trpc.procedure.input((value) => value as { filter: string }).query(({ input }) => [input.filter]),
      merge: trpc.procedure
        .input((value) => value as { into: string })
        .mutation(({ input }) => ({ merged: input.into })),
      remove: trpc.procedure.mutation(() => {
        throw new TRPCError({ code: 'FORBIDDEN', message: 'admin.tags:delete is missing.' })
      }),
    }),
  }),
})

let url = ''
let tokens = 0
const handler = createHTTPHandler({ router, basePath: '/t/acme/trpc/' })
const server = createServer((request, response) => {
  if (!request.url?.endsWith('/auth/connect/token')) return handler(request, response)
  tokens++
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"access_token":"a.b.c","expires_in":900}')
})
beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/t/acme`
})
afterAll(() => server.close())

const client = () =>
  routerClient<typeof router>(serverClient({ name: null, url, clientId: 'c', clientSecret: 's', protected: false }, []))

test('procedures are called by their names, typed by the router, with one token for the run', async () => {
  const { admin } = client()
  const filters: string[] = await admin.tags.list.query({ filter: 'name@=x,y' })
  expect(filters).toEqual(['name@=x,y'])
  expect(await admin.tags.merge.mutate({ into: 'Beta' })).toEqual({ merged: 'Beta' })
  expect(tokens).toBe(1)
})

test('a refused procedure is a problem with the code and words of the server', async () => {
  const refused = await client()
    .admin.tags.remove.mutate()
    .catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(Problem)
  expect(refused).toMatchObject({
    code: 1103,
    codeName: 'auth.insufficient_scope',
    message: 'admin.tags:delete is missing.',
  })
})

test('a server that went away is a problem too', async () => {
  const away = serverClient(
    { name: null, url: 'http://no-such-host.invalid/t/a', clientId: 'c', clientSecret: 's', protected: false },
    [],
  )
  await expect(routerClient<typeof router>(away).admin.tags.remove.mutate()).rejects.toMatchObject({
    codeName: 'cli.unreachable',
  })
})

test.each([
  {},
  null,
  { error: 'x', result: {} },
  { result: null },
  { result: {} },
  { result: { data: null } },
  { result: { data: { items: 'no', summary: null } } },
])('JSON that is not of licet is a problem of the server, not a bug: %j', async (body) => {
  const foreign = await standIn({ '*': (_, out) => json(out, 200, body) })
  const { LICET_CLIENT_ID: clientId = '', LICET_CLIENT_SECRET: clientSecret = '' } = foreign.variables
  const there = { name: null, url: foreign.url, clientId, clientSecret, protected: false }
  const asked = [
    exportCatalog(there),
    compareWith(there, { formatVersion: '1.0' }),
    findEntitlements(there, 'Umbrella', 5),
  ]
  for (const ended of await Promise.allSettled(asked))
    expect(ended).toMatchObject({ reason: { codeName: 'cli.unreadable_answer', exitCode: 1 } })
  await foreign.close()
})
