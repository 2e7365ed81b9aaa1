import { expect, test } from 'vitest'
import { itemSchemas, kinds, sectionOf } from '../../catalog-schema/order.ts'
import { SnapshotSchema } from '../../catalog-schema/snapshot.ts'
import { commandManifest } from '../../cli/manifest.ts'
import { knownScopes } from '../../server/access/scopes/known-scopes.ts'
import { heavyRouter } from '../../server/heavy-router.ts'
import type { Contract } from '../../server/kit/contract.ts'
import { operationsOf } from '../../server/kit/rest/operation.ts'
import { opens, tokenKindOf } from '../../server/kit/scope-check.ts'
import { appRouter } from '../../server/router.ts'
import { listEventTypes } from '../../server/webhooks/event-types/listing.ts'
import { expectCheckedIn } from './checked-in.ts'
import { fieldsOf } from './schema-fields.ts'

const contracts = operationsOf(appRouter)
  .map(({ contract }) => contract)
  .sort((a, b) => (`${a.path} ${a.method}` < `${b.path} ${b.method}` ? -1 : 1))

const tokensOf = ({ access, eitherToken }: Contract) => eitherToken ?? [access]

test('the routes are the checked-in ones', async () => {
  await expectCheckedIn(
    'routes',
    contracts.map((contract) => {
      const { method, path, name } = contract
      return { method, path, scope: tokensOf(contract).join(' or '), name }
    }),
  )
})

test('what each operation takes and answers is the checked-in shape', async () => {
  await expectCheckedIn('operations', shapesOf(contracts))
})

test('no two operations have one method and path, or one name', () => {
  const places = contracts.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`)
  expect(places.filter((place, index) => places.indexOf(place) !== index)).toEqual([])
  const names = contracts.map(({ name }) => name)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})

test('the thread for heavy operations has all of them', () => {
  const heavy = contracts.filter(({ lane }) => lane === 'heavy').map(({ name }) => name)
  const there = operationsOf(heavyRouter).map(({ contract }) => contract.name)
  expect(heavy.filter((name) => !there.includes(name))).toEqual([])
})

test("every operation's scope is one that a client can be registered for", () => {
  const scopes = knownScopes.map(({ scope }) => scope)
  const asked = contracts.flatMap((contract) => tokensOf(contract).map((token) => ({ name: contract.name, token })))
  const unknown = asked.filter(({ token }) => tokenKindOf(token) === 'client' && !scopes.includes(token))
  expect(unknown.map(({ name, token }) => `${name} asks for ${token}`)).toEqual([])
})

test('what a scope is said to open is opened by it, or that there is nothing', () => {
  const asked = new Set(contracts.flatMap(tokensOf).map((token) => token.split(':')[0]))
  const idle = knownScopes.filter(({ audience, resource }) => resource !== '*' && !asked.has(`${audience}.${resource}`))
  expect(idle.filter(({ opens }) => !opens.startsWith('no operation so far')).map(({ scope }) => scope)).toEqual([])
})

test('under admin and webhooks nothing is open to anyone, and each scope is of the audience that the path names', () => {
  const audiences = {
    '/provision/admin/': 'admin.*:*',
    '/webhooks/admin/': 'webhooks.*:*',
    '/webhooks/integrator/': 'webhooks.*:*',
  }
  for (const [place, audience] of Object.entries(audiences)) {
    const inside = contracts.filter(({ path }) => path.includes(place))
    expect(inside.length).toBeGreaterThan(3)
    const strayed = inside.filter(({ access }) => !opens(audience, access.replace(/:write$/, ':update')))
    expect(strayed.map(({ name, access }) => `${name} asks for ${access}`)).toEqual([])
  }
})

test('the scopes are the checked-in ones', async () => {
  await expectCheckedIn(
    'scopes',
    knownScopes.map(({ scope }) => scope),
  )
})

test('the types of events, what they are about and what their data hold are the checked-in ones', async () => {
  await expectCheckedIn(
    'events',
    Object.fromEntries(
      listEventTypes().map(({ type, entityKind, eventVersion, dataSchema }) => [
        type,
        [`about: ${entityKind}`, `version: ${eventVersion}`, ...fieldsOf(dataSchema)],
      ]),
    ),
  )
})

test('the commands, their arguments and flags are the checked-in ones', async () => {
  await expectCheckedIn('commands', (await commandLines()) satisfies Record<string, unknown>)
})

test('the fields of each kind of catalog item are the checked-in ones', async () => {
  await expectCheckedIn(
    'catalog',
    Object.fromEntries(kinds.map((kind) => [sectionOf[kind], fieldsOf(itemSchemas[kind])])),
  )
})

/** Each part of each operation, field by field; a shape told before is named after where it was. */
function shapesOf(operations: typeof contracts): Record<string, string[]> {
  const told = new Map<string, string>([[shapeOf(SnapshotSchema).join(), 'the snapshot in catalog.json']])
  const tell = (place: string, schema: unknown): string[] => {
    const fields = shapeOf(schema)
    const before = told.get(fields.join())
    if (before) return [`as ${before}`]
    if (fields.length > 3) told.set(fields.join(), place)
    const members = (schema as { properties?: Record<string, { items?: unknown }> }).properties ?? {}
    const inner = { 'items[]': members.items?.items, snapshot: members.snapshot }
    return Object.entries(inner).reduce((kept, [name, member]) => {
      if (!member || shapeOf(member).length < 4) return kept
      const rest = kept.filter((field) => !field.startsWith(`${name}.`) && !field.startsWith(`${name}{`))
      return [
        ...rest,
        ...tell(`${place} ${name}`, member).map((field) =>
          field.startsWith('as ') ? `${name} ${field}` : `${name}.${field}`,
        ),
      ]
    }, fields)
  }
  return Object.fromEntries(
    operations.flatMap(({ name, params, query, body, answer }) =>
      Object.entries({ params, query, body, answer }).flatMap(([part, schema]) =>
        schema === undefined ? [] : [[`${name} ${part}`, tell(`${name} ${part}`, schema)]],
      ),
    ),
  )
}

/** Without patterns: what a text may look like is told once, with the catalog's fields. */
const shapeOf = (schema: unknown) =>
  fieldsOf(schema).map((field) => field.replace(/, pattern .*?(?=, (min|max)|$)/, ''))

interface Described {
  args: Record<string, Record<string, unknown>>
  flags: Record<string, Record<string, unknown>>
}

/** Each command with its arguments and flags; of a flag, what a script can depend on. */
async function commandLines(): Promise<Record<string, unknown>> {
  const kept = ['name', 'char', 'type', 'required', 'multiple', 'allowNo', 'default', 'options', 'env', 'exclusive']
  const pick = (described: Record<string, unknown>) =>
    Object.fromEntries(
      kept.flatMap((key) =>
        described[key] === undefined || described[key] === false || typeof described[key] === 'function'
          ? []
          : [[key, described[key]]],
      ),
    )
  const manifest = (await commandManifest()) as Record<string, Described>
  return Object.fromEntries(
    Object.keys(manifest)
      .sort()
      .flatMap((id) => {
        const { args, flags } = manifest[id]!
        const command = id.replaceAll(':', ' ')
        const flagLines = Object.keys(flags)
          .sort()
          .map((name) => [`${command} --${name}`, pick(flags[name]!)])
        return [[command, Object.values(args).map(pick)], ...flagLines]
      }),
  )
}
