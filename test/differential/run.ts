import { isDeepStrictEqual } from 'node:util'
import type { TestStore } from '../support/stores.ts'
import { catalogSteps } from './catalog-steps.ts'
import { contracts } from './contracts.ts'
import { firstDifference } from './correspondence.ts'
import { type Draw, drawing } from './draw.ts'
import { entitlementSteps } from './entitlement-steps.ts'
import { Known } from './known.ts'
import { listing, listSteps } from './list-steps.ts'
import { meteringSteps } from './metering-steps.ts'
import { peopleSteps } from './people-steps.ts'
import { runtimeSteps } from './runtime-steps.ts'
import { settingUpSteps } from './setting-up-steps.ts'
import { snapshotSteps } from './snapshot-steps.ts'
import { learn, type Step, type StepKind } from './steps.ts'
import { timeSteps } from './time-steps.ts'
import { openWorlds, type Told, type World } from './worlds.ts'

export const stepKinds: readonly StepKind[] = [
  ...settingUpSteps,
  ...catalogSteps,
  ...peopleSteps,
  ...entitlementSteps,
  ...runtimeSteps,
  ...meteringSteps,
  ...snapshotSteps,
  ...timeSteps,
  ...listSteps,
]

/** Asks two fresh worlds so many steps as the seed draws them, and all that they have at the end; throws where they differ. */
export async function runApart(seed: number, count: number, stores: { sqlite: TestStore; postgres: TestStore }) {
  const worlds = await openWorlds(stores.sqlite, stores.postgres, seed)
  const draw = drawing(seed)
  const known = new Known(draw)
  const ask = async (number: number, drawn: Step) => {
    const step = { ...drawn, headers: { ...drawn.headers, 'x-correlation-id': `step-${number}` } }
    const told = await Promise.all(worlds.map((world) => world.ask(step)))
    compare(told as [Told, Told], { worlds, seed, number, step, steps: Math.min(number, count) })
    const [{ status, body }] = told as [Told, Told]
    return status < 300 ? { body } : undefined
  }
  const tellTime = async (number: number, input: object) => {
    const told = await ask(number, { operation: 'admin.testClock.advance', input })
    if (told) known.remember('clock', { id: 'clock', ...told.body })
    return told
  }
  try {
    await tellTime(0, { by: 'PT0S' })
    for (let number = 1; number <= count; number++) {
      const { kind, step } = nextStep(draw, known)
      if (step.operation === 'admin.testClock.advance') {
        if (await tellTime(number, step.input)) await renewTokens(worlds)
        continue
      }
      const told = await ask(number, step)
      if (told) {
        learn(known, step, told.body)
        kind.learn?.(known, told.body, step.input)
      }
      if (mayFallDue(step)) await tellTime(number, { by: 'PT0S' })
    }
    for (const step of lastSteps()) await askWhole(step, (one) => ask(count + 1, one))
  } finally {
    await Promise.all(worlds.map((world) => world.close()))
  }
}

/** Whether a step may leave something due already, which each server would else do by itself, at a moment of its own. */
const mayFallDue = ({ operation }: Step) =>
  contracts.get(operation)!.method !== 'GET' &&
  /entitlements|offers|activations\.(license|jwt|try)|catalog\.(import|apply)|planChange|registrations/i.test(
    operation,
  ) &&
  !/balances|creditGrants|activationCodes|principals|transactions/.test(operation)

const renewTokens = (worlds: readonly World[]) => Promise.all(worlds.map((world) => world.renewToken()))

/** The next step that something is known to do with; now and then with a field as its schema allows any. */
function nextStep(draw: Draw, known: Known): { kind: StepKind; step: Step } {
  for (;;) {
    const kind = draw.weighted(stepKinds)
    const drawn = kind.draw(draw, known)
    if (!drawn) continue
    const step: Step = { ...drawn, operation: kind.operation }
    if (contracts.get(step.operation)!.filterable)
      step.input = { ...step.input, ...listing(draw, known, step.operation) }
    if (draw.chance(0.06)) step.input = withAnyField(draw, step)
    if (draw.chance(0.03)) step.headers = { 'idempotency-key': `key-${draw.below(30)}` }
    if (draw.chance(0.02)) step.headers = { ...step.headers, 'if-match': `"${1 + draw.below(3)}"` }
    return { kind, step }
  }
}

function withAnyField(draw: Draw, { operation, input }: Step) {
  const { body, bodySlot } = contracts.get(operation)!
  const fields = Object.entries((body as { properties?: Record<string, object> })?.properties ?? {})
  if (fields.length === 0 || bodySlot) return input
  const [name, schema] = draw.oneOf(fields)
  return { ...input, [name]: draw.anyOf(schema) }
}

/** What shows all that the worlds have come to. */
function lastSteps(): Step[] {
  const lists = listSteps.map(({ operation }): Step => ({ operation, input: { pageSize: 100 } }))
  const reports = [...contracts.keys()].filter((name) => name.startsWith('admin.reports.'))
  return [...lists, ...['admin.catalog.export', 'admin.catalog.drift', ...reports].map((operation) => ({ operation }))]
}

/** A list's pages one after another, or what is no list at once. */
async function askWhole(step: Step, ask: (step: Step) => Promise<{ body: { hasNextPage?: boolean } } | undefined>) {
  for (let pageNumber = 1; ; pageNumber++) {
    const input = step.input && { ...step.input, pageNumber }
    const told = await ask({ ...step, input })
    if (!told?.body.hasNextPage) return
  }
}

function compare(
  [left, right]: [Told, Told],
  {
    worlds,
    seed,
    number,
    step,
    steps,
  }: { worlds: [World, World]; seed: number; number: number; step: Step; steps: number },
): void {
  const isBroken = left.status >= 500 || right.status >= 500
  if (isDeepStrictEqual(left, right) && !isBroken) return
  const { path, left: atLeft, right: atRight } = firstDifference(left, right) ?? { path: '', left, right }
  throw new Error(
    [
      `seed ${seed}, step ${number}: ${isBroken ? 'a server failed' : 'the worlds differ'}`,
      `step: ${JSON.stringify(step)}`,
      `at ${path || '/'}`,
      ...[atLeft, atRight].map((at, index) => `  ${worlds[index]!.name}: ${JSON.stringify(at)?.slice(0, 2000)}`),
      `again: LICET_DIFFERENTIAL_SEED=${seed} LICET_DIFFERENTIAL_STEPS=${steps} npx vitest run test/differential`,
    ].join('\n'),
  )
}
