import fc from 'fast-check'
import { expect, test } from 'vitest'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { must } from '../catalog/catalog-collection.ts'
import { databaseBeside } from '../entitlements/coded-entitlements.ts'
import { devicesOf } from './devices.ts'

type Json = ReturnType<typeof JSON.parse>

/** What should be: the devices that hold a seat, of at most so many, with what they were licensed with. */
interface Model {
  readonly seats: number
  holding: Map<string, Json>
}

/** What is: one entitlement of a server. */
interface Real {
  readonly activationCode: string
  readonly entitlementId: string
}

const fingerprints = ['a', 'b', 'c', 'd', 'e', 'f']
const someDevices = fc.uniqueArray(fc.constantFrom(...fingerprints), { minLength: 1, maxLength: 6 })

forEachStore((store) => {
  const server = serveTests(store)
  const beside = databaseBeside(server)
  const devices = devicesOf(server)

  /** The seats that the server says are taken, and the devices that hold them. */
  async function seatsOf({ entitlementId }: Real) {
    const { taken } = await beside.open.read
      .selectFrom('seat_counts')
      .select('taken')
      .where('entitlement_id', '=', entitlementId)
      .executeTakeFirstOrThrow()
    const { items } = await must(
      devices.at('GET', `operational/entitlements/${entitlementId}/activations?pageSize=100`),
    )
    const holding = items.filter((one: Json) => one.holdsSeat).map((one: Json) => one.fingerprint as string)
    return { taken, holding: holding.sort() }
  }

  async function agree(model: Model, real: Real) {
    const holding = [...model.holding.keys()].sort()
    expect(await seatsOf(real)).toEqual({ taken: holding.length, holding })
  }

  /** Devices that activate at the same time: those that are known get their session, the others the seats that are left. */
  class Activate implements fc.AsyncCommand<Model, Real> {
    readonly wanted: readonly string[]
    constructor(wanted: readonly string[]) {
      this.wanted = wanted
    }
    check = () => true
    toString = () => `activate ${this.wanted.join(' ')}`
    async run(model: Model, real: Real) {
      const answers = await Promise.all(this.wanted.map((one) => devices.activate(real.activationCode, one)))
      const left = model.seats - model.holding.size
      const isNew = this.wanted.filter((one) => !model.holding.has(one))
      for (const [at, { status, body }] of answers.entries()) {
        const fingerprint = this.wanted[at]!
        const known = model.holding.get(fingerprint)
        if (known) expect([status, body.session?.id]).toEqual([200, known.session.id])
        if (status === 200) model.holding.set(fingerprint, body)
        else expect(body.codeName).toBe('license.seats_exhausted')
      }
      const seated = isNew.filter((one) => model.holding.has(one))
      expect(seated).toHaveLength(Math.min(left, isNew.length))
      await agree(model, real)
    }
  }

  class Release implements fc.AsyncCommand<Model, Real> {
    readonly wanted: readonly string[]
    constructor(wanted: readonly string[]) {
      this.wanted = wanted
    }
    check = (model: Readonly<Model>) => this.wanted.some((one) => model.holding.has(one))
    toString = () => `release ${this.wanted.join(' ')}`
    async run(model: Model, real: Real) {
      const held = this.wanted.filter((one) => model.holding.has(one))
      const answers = await Promise.all(held.map((one) => devices.say('release', model.holding.get(one))))
      expect(answers.map(({ status }) => status)).toEqual(held.map(() => 200))
      for (const one of held) model.holding.delete(one)
      await agree(model, real)
    }
  }

  /** One device gives its seat back while another wants one: whoever comes first, no seat is lost or sold twice. */
  class Exchange implements fc.AsyncCommand<Model, Real> {
    readonly pair: readonly [string, string]
    constructor(pair: readonly [string, string]) {
      this.pair = pair
    }
    check = (model: Readonly<Model>) => model.holding.has(this.pair[0]) && !model.holding.has(this.pair[1])
    toString = () => `exchange ${this.pair.join(' for ')}`
    async run(model: Model, real: Real) {
      const [going, coming] = this.pair
      const hadRoom = model.holding.size < model.seats
      const [released, activated] = await Promise.all([
        devices.say('release', model.holding.get(going)),
        devices.activate(real.activationCode, coming),
      ])
      expect(released.status).toBe(200)
      model.holding.delete(going)
      if (hadRoom) expect(activated.status).toBe(200)
      if (activated.status === 200) model.holding.set(coming, activated.body)
      await agree(model, real)
    }
  }

  class CheckIn implements fc.AsyncCommand<Model, Real> {
    check = (model: Readonly<Model>) => model.holding.size > 0
    toString = () => 'check in'
    async run(model: Model, real: Real) {
      const answers = await Promise.all([...model.holding.values()].map((one) => devices.say('check-in', one)))
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
      await agree(model, real)
    }
  }

  const commands = fc.commands(
    [
      someDevices.map((wanted) => new Activate(wanted)),
      someDevices.map((wanted) => new Release(wanted)),
      fc.tuple(fc.constantFrom(...fingerprints), fc.constantFrom(...fingerprints)).map((pair) => new Exchange(pair)),
      fc.constant(new CheckIn()),
    ],
    { maxCommands: 15 },
  )

  test.each(['NodeLocked', 'Floating'])(
    'no seat of the model %s is lost or sold twice',
    { timeout: 120_000 },
    (licenseModel) =>
      fc.assert(
        fc.asyncProperty(fc.integer({ min: 1, max: 4 }), commands, async (seats, deeds) => {
          const entitlement = await devices.newEntitlement({
            licensePolicy: { licenseModel, maxDeviceActivations: seats },
          })
          const { activationCode } = await devices.newCode(entitlement.id)
          const setup = () => ({
            model: { seats, holding: new Map<string, Json>() },
            real: { activationCode, entitlementId: entitlement.id },
          })
          await fc.asyncModelRun(setup, deeds)
        }),
        { numRuns: 15 },
      ),
  )
})
