import { compareRates, latencyNote, type Shots, type Told } from './comparing.ts'
import { type Bench, isQuick, type Row, type Target } from './measuring.ts'
import {
  activateFleet,
  batchSize,
  type Fleet,
  type MeteredKind,
  manyMeters,
  meteredKinds,
  meteredShots,
  readOnce,
  sellMetered,
} from './metered-shots.ts'
import { bareDatabaseOf, floorNames, type Served, startBeside, stores, withServer } from './served.ts'
import { measureDurability, measureTwoProcesses, type Subject } from './side-by-side.ts'
import { storeDecisions } from './stored-decisions.ts'

const millis = 2000
const decisionsStored = isQuick ? 10_000 : 1_000_000

/** What a metered application asks, a second, of one hot meter and of many: against raw code, and reads against a bare hello. */
export const benchMetering: Bench = () => onEachStore(measureRates)

/** The same with a million decisions stored, against an empty database. */
export const benchStoredDecisions: Bench = () => onEachStore(measureStored)

/** What durability costs metering, and what a second process on the same database brings. */
export const benchMeteringSideBySide: Bench = async () => {
  const subject: Subject<MeteredKind> = {
    kinds: kindsOf('try-consume', 'upload'),
    async prepare(served) {
      const sold = await sellMetered(served)
      return async (origin) => meteredShots(origin, served.base, await activateFleet(origin, served.base, sold))
    },
    millis,
  }
  return [...(await measureDurability(subject)), ...(await measureTwoProcesses(subject))]
}

const kindsOf = (...deeds: string[]) => meteredKinds.filter((kind) => deeds.some((deed) => kind.startsWith(`${deed},`)))

async function onEachStore(measure: (store: Served['store']) => Promise<Row[]>): Promise<Row[]> {
  const rows: Row[] = []
  for (const store of stores) rows.push(...(await measure(store)))
  return rows
}

const newFleet = async (served: Served) => activateFleet(served.server.origin, served.base, await sellMetered(served))

const measureRates = (store: Served['store']) =>
  withServer(store, async (served) => {
    const fleet = await newFleet(served)
    const ours = meteredShots(served.server.origin, served.base, fleet)
    const floors = await startFloors(served, fleet)
    const tell = async (kind: MeteredKind, rate: number): Promise<Told> => ({
      name: `${kind}, ${store}`,
      floorName: floorNameOf(kind, store),
      note: await latencyNote(ours[kind], rate),
      ...(kind.startsWith('upload') ? { each: batchSize, unit: 'records/s' } : {}),
      ...targetOf(kind, store),
    })
    try {
      return await compareRates(meteredKinds, ours, floors.shots, tell, millis)
    } finally {
      floors.stop()
    }
  })

function floorNameOf(kind: MeteredKind, store: Served['store']): string {
  if (kind.startsWith('usage read')) return 'Fastify hello, same schemas and answer'
  return kind.startsWith('try-preallocate') ? 'bare Fastify, one select' : floorNames[store]
}

function targetOf(kind: MeteredKind, store: Served['store']): { target?: Target } {
  if (kind.startsWith('usage read')) return { target: { id: 'T1', of: 'ratio', atLeast: 0.5 } }
  if (!kind.startsWith('try-consume')) return {}
  const [id, atLeast] = store === 'sqlite' ? (['T2', 4] as const) : (['T5', 5] as const)
  return { target: { id, of: 'ratio', atLeast } }
}

/** The floors are asked with the same requests, by meters in place of sessions. */
async function startFloors(served: Served, fleet: Fleet): Promise<{ shots: Shots<MeteredKind>; stop: () => void }> {
  const bare = await startBeside('bare-consumption.ts', bareDatabaseOf(served), `${manyMeters}`)
  const answer = await readOnce(served.server.origin, served.base, fleet)
  const hello = await startBeside('bare-hello.ts', JSON.stringify(answer))
  const said = await readOnce(hello.origin, '', fleet)
  if (JSON.stringify(said) !== JSON.stringify(answer)) throw new Error('the hello does not say what licet says')
  const meters = {
    'one meter': [{ id: '0' }],
    'many meters': Array.from({ length: manyMeters }, (_, id) => ({ id: `${id}` })),
  }
  const deciding = meteredShots(bare.origin, '', meters)
  const reading = meteredShots(hello.origin, '', fleet)
  return {
    shots: Object.fromEntries(
      meteredKinds.map((kind) => [kind, (kind.startsWith('usage read') ? reading : deciding)[kind]]),
    ) as Shots<MeteredKind>,
    stop() {
      bare.stop()
      hello.stop()
    },
  }
}

const measureStored = (store: Served['store']) =>
  withServer(store, (full) =>
    withServer(store, async (empty) => {
      const [fleet, other] = [await newFleet(full), await newFleet(empty)]
      await storeDecisions(full, decisionsStored)
      const ours = meteredShots(full.server.origin, full.base, fleet)
      const floors = meteredShots(empty.server.origin, empty.base, other)
      const tell = (kind: MeteredKind): Told => ({
        name: `${kind}, a million decisions, ${store}`,
        floorName: 'itself on an empty database',
        target: { id: 'T14', of: 'ratio', atLeast: 0.9 },
      })
      return compareRates(kindsOf('try-consume', 'usage read'), ours, floors, tell, millis)
    }),
  )
