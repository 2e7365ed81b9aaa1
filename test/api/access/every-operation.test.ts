import { beforeAll, describe, expect, test } from 'vitest'
import { knownScopes } from '../../../server/access/scopes/known-scopes.ts'
import type { Access, Contract } from '../../../server/kit/contract.ts'
import { operationsOf } from '../../../server/kit/rest/operation.ts'
import { tokenKindOf } from '../../../server/kit/scope-check.ts'
import { appRouter } from '../../../server/router.ts'
import type { Answer } from '../../support/server.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { noSuchId } from '../catalog/catalog-collection.ts'
import { makeOneOfEach, type OneOfEach } from './one-of-each.ts'

/** Every operation that asks for a token. */
const operations = operationsOf(appRouter)
  .map(({ contract }) => contract as Contract)
  .filter(({ access, eitherToken }) => access !== 'anyone' || eitherToken)

const acceptedBy = ({ access, eitherToken }: Contract): readonly Access[] => eitherToken ?? [access]
const kindsOf = (contract: Contract) => acceptedBy(contract).map((access) => tokenKindOf(access)! as Kind)
const scopeOf = (contract: Contract) => acceptedBy(contract).find((access) => access.includes(':'))
type Kind = 'client' | 'session' | 'user'

/** Each operation with what it answered otherwise than it should; a few are asked at a time. */
async function odd(among: readonly Contract[], ask: (contract: Contract) => Promise<unknown[]>, wanted: unknown[]) {
  const found: unknown[] = []
  const waiting = [...among]
  const work = async () => {
    for (let contract = waiting.shift(); contract; contract = waiting.shift()) {
      const answered = await ask(contract)
      if (JSON.stringify(answered) !== JSON.stringify(wanted)) found.push([contract.name, ...answered])
    }
  }
  await Promise.all(Array.from({ length: 8 }, work))
  return found
}

const minutes = 60_000

forEachStore((store) => {
  const server = serveTests(store)
  let acme: OneOfEach
  let neighbour: OneOfEach
  /** For each scope a token with every other. */
  const lean = new Map<string, string>()

  beforeAll(async () => {
    acme = await makeOneOfEach(server, 'acme')
    neighbour = await makeOneOfEach(server, 'neighbour')
    for (const scope of new Set(operations.flatMap((one) => scopeOf(one) ?? [])))
      lean.set(scope, await server.tokenWith(scopesBeside(scope)))
  }, 3 * minutes)

  const bodyFor = ({ method, body, bodySlot }: Contract) =>
    body && method !== 'GET' ? { body: bodySlot === undefined ? {} : [] } : {}

  const forms = {
    REST: (contract: Contract, token: string | null) =>
      server.api(contract.method, acme.fill(contract.path), { token, ...bodyFor(contract) }),
    tRPC: ({ method, name }: Contract, token: string | null) =>
      server.api(method === 'GET' ? 'GET' : 'POST', `/trpc/${name}`, {
        token,
        ...(method === 'GET' ? {} : { body: {} }),
      }),
  }

  describe.each(['REST', 'tRPC'] as const)('over %s', (form) => {
    const ask = async (contract: Contract, token: string | null) => {
      const { status, body, headers } = await forms[form](contract, token)
      return [status, (body?.error?.data ?? body)?.codeName, headers.get('www-authenticate')]
    }

    test('every operation asks for a token', { timeout: 3 * minutes }, async () => {
      const refusal = [401, 'auth.unauthenticated', 'Bearer']
      expect(await odd(operations, (one) => ask(one, null), refusal)).toEqual([])
    })

    test.each(['client', 'session', 'user'] as const)(
      'none takes the token of a %s in the place of another kind, nor one from next door',
      { timeout: 3 * minutes },
      async (kind) => {
        const refusal = [401, 'auth.unauthenticated', 'Bearer error="invalid_token"']
        const others = operations.filter((one) => !kindsOf(one).includes(kind))
        expect(await odd(others, (one) => ask(one, acme.tokens[kind]), refusal)).toEqual([])
        const own = operations.filter((one) => kindsOf(one).includes(kind))
        expect(await odd(own, (one) => ask(one, neighbour.tokens[kind]), refusal)).toEqual([])
      },
    )

    test('every scope but its own opens none', { timeout: 3 * minutes }, async () => {
      const scoped = operations.filter((one) => scopeOf(one) !== undefined)
      const refusal = async (one: Contract) => {
        const [status, codeName, challenge] = await ask(one, lean.get(scopeOf(one)!)!)
        return [status, codeName, challenge?.replace(scopeOf(one)!, 'SCOPE')]
      }
      const wanted = [403, 'auth.insufficient_scope', 'Bearer error="insufficient_scope", scope="SCOPE"']
      expect(await odd(scoped, refusal, wanted)).toEqual([])
    })
  })

  test('a record next door is told of as none is, whatever is asked of it', { timeout: 3 * minutes }, async () => {
    const about = operations.filter(({ path }) => /\{(?!metric)/.test(path))
    const ask = async (contract: Contract, asked: string) =>
      toldBy(
        await server.api(contract.method, `${asked}${queryFor(contract)}`, {
          ...{ tenant: 'neighbour', token: neighbour.tokens[kindsOf(contract)[0]!] },
          ...bodyFor(contract),
        }),
        asked,
      )
    const compare = async (contract: Contract) => {
      const nobodys = contract.path.replaceAll(/\{(\w+)\}/g, (_, name) => (name === 'metric' ? 'exports' : noSuchId))
      const [theirs, none] = [await ask(contract, acme.fill(contract.path)), await ask(contract, nobodys)]
      return theirs === none ? [] : [theirs, none]
    }
    expect(await odd(about, compare, [])).toEqual([])
  })
})

/** Every scope that opens nothing of what this one opens. */
function scopesBeside(scope: string): string[] {
  const [resource, verb] = scope.split(':') as [string, string]
  const writes = ['create', 'update', 'write']
  const opening = verb === 'write' ? writes : writes.includes(verb) ? [verb, 'write'] : [verb]
  return knownScopes
    .map((known) => known.scope)
    .filter((known) => !known.includes('*') && !opening.some((one) => known === `${resource}:${one}`))
}

const queryFor = ({ path }: Contract) => (path.includes('/try-consume/') ? '?amount=1&idempotentKey=each' : '')

/** All that an answer tells, but for the ids that were asked for and the request's own name. */
function toldBy({ status, text }: Answer, asked: string): string {
  const { instance: _instance, ...told } = text === '' ? {} : JSON.parse(text)
  const ids = asked.match(/[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? []
  return ids.reduce((rest, id) => rest.replaceAll(id, 'ID'), `${status} ${JSON.stringify(told)}`)
}
