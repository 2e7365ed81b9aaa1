import { describe, expect, test } from 'vitest'
import { type Import, importsIn } from './imports.ts'

/** From low to high: a room imports from rooms before it, never after. */
const order = [
  'catalog-schema',
  'vocabulary',
  'kit',
  'database',
  'access',
  'catalog',
  'metering',
  'entitlements',
  'activations',
  'feedback',
]
/** They import any room of the order; only the entries import them. */
const topRooms = ['webhooks', 'portal', 'privacy', 'reports', 'snapshot', 'docs']
const entries = ['server/app.ts', 'server/router.ts', 'server/heavy-router.ts', 'server/heavy-worker.ts']
/** What every room may name: it imports nothing of ours itself. */
const belowAll = ['server/version.ts', 'package.json']

/** An import that the order forbids and that is right all the same, with the reason. */
interface Exception {
  from: string
  to: string
  typesOnly?: boolean
  why: string
}

const againstTheOrder: Exception[] = [
  { from: 'server/kit/', to: 'server/database/', typesOnly: true, why: 'tools speak of a transaction, and open none' },
  {
    from: 'server/database/tables.ts',
    to: 'tables.ts',
    typesOnly: true,
    why: 'the sum of what the rooms own: types, gone at run time',
  },
]

const storesLent: Exception[] = [
  { from: 'server/database/tables.ts', to: 'tables.ts', typesOnly: true, why: 'the sum of what the rooms own' },
  { from: 'server/', to: 'server/database/tables.ts', typesOnly: true, why: 'the sum itself, by which rows are typed' },
  {
    from: 'server/',
    to: 'server/kit/records/store.ts',
    why: 'no store of one resource: the deeds by which any kind of record is kept',
  },
]

/** The tasks of the person who runs the server, on the server's own database: they are the server, started by hand. */
const operatorFiles: Record<string, string> = {
  'cli/operator/opened-database.ts': 'opens the database for the tasks below',
  'cli/tasks/serve.ts': 'licet serve starts the server',
  'cli/tasks/tenants.ts': 'licet tenant makes and lists tenants where no token exists yet',
  'cli/tasks/clients.ts': 'licet client makes the first client, from which every token comes',
  'cli/screens/client-secret.ts': 'shows what licet client made',
}

const imports = importsIn('catalog-schema', 'server', 'cli')
const ours = imports.filter(({ isOurs }) => isOurs)

/** The room a file is in; an entry of the server is its own. */
function roomOf(file: string): string {
  const [top, room] = file.split('/') as [string, string]
  return top === 'server' && file.split('/').length > 2 ? room : top === 'server' ? file : top
}

const isExcepted = (exceptions: readonly Exception[], found: Import) =>
  exceptions.some(
    ({ from, to, typesOnly }) =>
      found.from.startsWith(from) &&
      (to.includes('/') ? found.to.startsWith(to) : found.to.endsWith(`/${to}`)) &&
      (found.isTypeOnly || !typesOnly),
  )

const at = ({ from, line, to }: Import) => `${from}:${line} imports ${to}`
const rank = (room: string) =>
  topRooms.includes(room) ? order.length : entries.includes(room) ? order.length + 1 : order.indexOf(room)

describe('the order of rooms', () => {
  test('every file of the server is in a room of the order', () => {
    const homeless = ours.map(({ from }) => from).filter((file) => file.startsWith('server/') && rank(roomOf(file)) < 0)
    expect([...new Set(homeless)].filter((file) => !belowAll.includes(file))).toEqual([])
  })

  test('a room imports from rooms before it, never after', () => {
    const broken = ours.flatMap((found) => {
      const [room, other] = [roomOf(found.from), roomOf(found.to)]
      if (room === 'cli' || room === other || belowAll.includes(found.to) || isExcepted(againstTheOrder, found))
        return []
      if (rank(other) >= 0 && rank(other) < rank(room)) return []
      if (entries.includes(room) && entries.includes(other)) return []
      return [
        `${room} may not import ${other}: ${at(found)}; the order is ${order.join(' ◄ ')} ◄ ${topRooms.join(', ')}`,
      ]
    })
    expect(broken).toEqual([])
  })

  test("another room's store.ts and tables.ts are its own", () => {
    const broken = ours
      .filter(({ from, to }) => /\/(store|tables)\.ts$/.test(to) && roomOf(from) !== roomOf(to))
      .filter((found) => !isExcepted(storesLent, found))
      .map((found) => `ask ${roomOf(found.to)} through a question or deed that it exports: ${at(found)}`)
    expect(broken).toEqual([])
  })

  test('no file imports itself by way of others, types included', () => {
    expect(cyclesIn(ours)).toEqual([])
  })
})

describe('the command line', () => {
  test("knows of the server the type of its router alone, but for the operator's own tasks", () => {
    const broken = ours
      .filter(({ from, to }) => from.startsWith('cli/') && to.startsWith('server/'))
      .filter(({ from }) => !(from in operatorFiles))
      .filter(
        ({ from, to, isTypeOnly }) =>
          !(/^cli\/(server-client\.ts|tasks\/)/.test(from) && to === 'server/router.ts' && isTypeOnly),
      )
      .map((found) => `speak to the server over HTTP instead: ${at(found)}`)
    expect(broken).toEqual([])
  })

  test('keeps screens to commands, to what asks a person, and to the end of a run', () => {
    const shows = /^cli\/(screens|commands|prompts)\/|^cli\/ending\.ts$/
    const broken = ours
      .filter(({ from, to }) => to.startsWith('cli/screens/') && !shows.test(from))
      .map((found) => `return the value, and let the command show it: ${at(found)}`)
    expect(broken).toEqual([])
  })

  test('loads the server only when a task starts it, so that other commands start fast', () => {
    const loading = ours.filter(
      ({ from, to, isTypeOnly }) => from.startsWith('cli/') && to.startsWith('server/') && !isTypeOnly,
    )
    expect(loading.filter(({ isDynamic }) => !isDynamic).map(at)).toEqual([])
  })
})

describe('pure rules', () => {
  const isOutside = ({ to }: Import) => /^(kysely|fastify|@trpc|node:|pg$|better-sqlite3)/.test(to)

  test('catalog-schema reaches no database, network, file or clock', () => {
    // It writes the JSON Schema files that editors read; a script that is run, never imported.
    const script = 'catalog-schema/emit.ts'
    const broken = imports.filter(
      (found) => found.from.startsWith('catalog-schema/') && found.from !== script && isOutside(found),
    )
    expect(broken.map(at)).toEqual([])
    expect(ours.filter(({ to }) => to === script).map(at)).toEqual([])
  })

  test('what test/rules tests of a capability reaches none either, however many files away', () => {
    const capabilities = order.slice(order.indexOf('access'))
    const tested = importsIn('test/rules').filter(
      ({ to, isOurs, isTypeOnly }) => isOurs && !isTypeOnly && capabilities.includes(roomOf(to)),
    )
    const broken = [...new Set(tested.map(({ to }) => to))].flatMap((rule) =>
      reached(rule)
        .filter(isOutside)
        .map((found) => `${rule} is a rule and knows values only: ${at(found)}`),
    )
    expect(tested.length).toBeGreaterThan(10)
    expect(broken).toEqual([])
  })

  test('Fastify and tRPC stay at the edge, SQL in stores and what builds them', () => {
    const mayImport = {
      fastify: /^server\/(app\.ts|kit\/|docs\/pages\.ts|access\/(routes|request-context)\.ts)/,
      '@trpc': /^server\/kit\//,
      kysely: /^server\/(database\/|kit\/|\w+\/([a-z-]+\/)?(store|tagging|wire)\.ts$)/,
    }
    const broken = Object.entries(mayImport).flatMap(([name, where]) =>
      imports
        .filter(({ from, to }) => from.startsWith('server/') && to.startsWith(name) && !where.test(from))
        .map((found) => `${name} is not for this file: ${at(found)}`),
    )
    expect(broken).toEqual([])
  })
})

/** Everything that a file imports at run time, and what that imports, and so on. */
function reached(file: string): Import[] {
  const seen = new Set<string>([file])
  const found: Import[] = []
  for (const from of seen)
    for (const one of imports.filter((candidate) => candidate.from === from && !candidate.isTypeOnly)) {
      found.push(one)
      if (one.isOurs) seen.add(one.to)
    }
  return found
}

function cyclesIn(edges: readonly Import[]): string[] {
  const targets = new Map<string, string[]>()
  for (const { from, to } of edges) targets.set(from, [...(targets.get(from) ?? []), to])
  const done = new Set<string>()
  const cycles: string[] = []
  const visit = (file: string, way: string[]) => {
    if (way.includes(file)) cycles.push([...way.slice(way.indexOf(file)), file].join(' → '))
    if (done.has(file) || way.includes(file)) return
    for (const target of targets.get(file) ?? []) visit(target, [...way, file])
    done.add(file)
  }
  for (const file of targets.keys()) visit(file, [])
  return cycles
}
