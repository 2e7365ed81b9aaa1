import { seatLimit } from '../entitlement-standing.ts'
import { type ChosenEnvironment, environmentName } from '../environments/choosing.ts'
import { Problem } from '../problems.ts'
import { duringPhase } from '../progress.ts'
import { isRecordId } from '../record-ids.ts'
import { isOneOf, isText } from '../sieve-terms.ts'
import { countSeats, listSeats, type Seat, sessionsReadScope } from './seats.ts'
import {
  type ActivationCode,
  type AdminClient,
  adminClient,
  type Customer,
  type Entitlement,
  isNoSuch,
} from './tenant-records.ts'

const readScope = 'admin.entitlements:read'
const createScope = 'admin.entitlements:create'
const updateScope = 'admin.entitlements:update'
const customersReadScope = 'admin.customers:read'

/** How many sessions are shown unless told. */
export const seatsShown = 50

/** An entitlement with whose it is and who holds its seats. */
export interface ShownEntitlement {
  entitlement: Entitlement
  /** Null where no customer has it, or none that is still there. */
  customer: Customer | null
  /** How many codes it has. */
  codes: number
  seats: { taken: number; limit: number | null; sessions: Seat[]; more: boolean }
}

/** All that support sees of an entitlement at once; `limit` sessions, those with a seat or with `all` every one there ever was. */
export async function showEntitlement(
  environment: ChosenEnvironment,
  id: string,
  which: { limit: number; all: boolean },
): Promise<ShownEntitlement> {
  const client = adminClient(environment, readScope, customersReadScope, sessionsReadScope)
  return duringPhase(`Reading from ${environmentName(environment)}`, async () => {
    const entitlement = await client.entitlements.get.query({ id })
    const { customerId } = entitlement
    const none = { items: [] }
    const [customers, codes, { seats, total }, taken] = await Promise.all([
      // Not by its id: a customer may be deleted that has no live entitlement any more.
      customerId === null ? none : client.customers.list.query({ filter: isOneOf('id', [customerId]), pageSize: 1 }),
      client.entitlements.activationCodes.list.query({ id, pageSize: 1 }),
      listSeats(client, entitlement, which),
      countSeats(client, id),
    ])
    const limit = seatLimit(entitlement)
    return {
      entitlement,
      customer: customers.items[0] ?? null,
      codes: codes.totalCount,
      seats: { taken, limit, sessions: seats, more: total > seats.length },
    }
  })
}

/** One entitlement. */
export const getEntitlement = (environment: ChosenEnvironment, id: string): Promise<Entitlement> =>
  duringPhase(`Reading from ${environmentName(environment)}`, () =>
    adminClient(environment, readScope).entitlements.get.query({ id }),
  )

/** What is to be made of an offer. */
export interface EntitlementWish {
  /** The offer's id, NAME or NAME@VERSION. */
  offer: string
  /** The customer's id, or the whole name, e-mail address or external reference. */
  customer?: string | undefined
  name?: string | undefined
  contactEmail?: string | undefined
  orderId?: string | undefined
  /** Without the trial that the offer has. */
  noTrial: boolean
  activate: boolean
  /** With an activation code. */
  code: boolean
}

/** What was made, with the text of its code where one was asked for. */
export interface MadeEntitlement {
  entitlement: Entitlement
  activationWorkflow: ActivationCode | null
  activationCode: string | null
}

/** Makes an entitlement of an offer, in one call of the server. Raises cli.input for an offer or customer that is not there, or a customer who is not the only one. */
export async function createEntitlement(
  environment: ChosenEnvironment,
  wish: EntitlementWish,
): Promise<MadeEntitlement> {
  const client = adminClient(environment, createScope, ...(wish.customer === undefined ? [] : [customersReadScope]))
  return duringPhase(`Making an entitlement in ${environmentName(environment)}`, async () => {
    const customerId = wish.customer === undefined ? undefined : await findCustomerId(client, wish.customer)
    for (const offer of offersNamed(wish.offer))
      try {
        return await client.offers.fromOffer.mutate({
          ...offer,
          includeTrial: !wish.noTrial,
          entitlementParameters: given({
            name: wish.name,
            customerId,
            customerContactEmail: wish.contactEmail,
            orderId: wish.orderId,
            status: wish.activate ? ('Active' as const) : undefined,
          }),
          licenseActivationWorkflowParameters: wish.code ? {} : null,
        })
      } catch (error) {
        if (!isNoSuch('offer', error) || isRecordId(wish.offer)) throw error
      }
    throw noOfferCalled(wish.offer)
  })
}

const noOfferCalled = (text: string) =>
  new Problem('cli.input', `No offer is called "${text}".`, {
    hint: 'licet api GET /api/v1/provision/admin/entitlements/offers lists them',
  })

/** What a text may mean: an offer's id; or a name and a version behind an `@`, the last one first, for either may hold some; or a name. */
function offersNamed(text: string) {
  if (isRecordId(text)) return [{ entitlementOfferId: text }]
  const versioned = [...text.matchAll(/(?<=.)@/gs)].map(({ index }) => ({
    fromEntitlementOfferName: text.slice(0, index),
    withEntitlementOfferVersion: text.slice(index + 1),
  }))
  return [...versioned.reverse(), { fromEntitlementOfferName: text }]
}

async function findCustomerId(client: AdminClient, text: string): Promise<string> {
  if (isRecordId(text)) return text
  const filter = isText(['name', 'email', 'externalReference'], text)
  const { items, totalCount } = await client.customers.list.query({ filter, pageSize: 20 })
  if (items.length === 1) return items[0]!.id
  if (items.length > 1)
    throw new Problem('cli.input', `${totalCount} customers are called "${text}".`, {
      hint: 'name one by its id',
      errors: items.map(({ id, name, email }) => ({ key: id, message: email === null ? name : `${name} <${email}>` })),
    })
  throw new Problem('cli.input', `No customer is called "${text}".`, {
    hint: `licet api POST /api/v1/provision/admin/customers --data '{"name":"…"}'`,
  })
}

/** What was given, without what was not. */
const given = <Fields extends Record<string, unknown>>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], undefined>
  }

/** What is done to an entitlement that takes nothing more. */
export type Step = 'activate' | 'suspend' | 'resume' | 'cancel' | 'restartTrial'

/** Takes a step in an entitlement's life. Raises catalog.invalid_transition where it cannot be taken. */
export const takeStep = (environment: ChosenEnvironment, id: string, step: Step): Promise<Entitlement> =>
  duringPhase(`Changing it in ${environmentName(environment)}`, () =>
    adminClient(environment, updateScope).entitlements[step].mutate({ id }),
  )

/** Renews an entitlement until an instant, or by a number of its periods; by one when neither is given. */
export const renewEntitlement = (
  environment: ChosenEnvironment,
  id: string,
  how: { until?: string | undefined; periods?: number | undefined },
): Promise<Entitlement> =>
  duringPhase(`Renewing it in ${environmentName(environment)}`, () =>
    adminClient(environment, updateScope)
      .entitlements.renew.mutate({ id, ...given(how) })
      .catch((error: unknown) => {
        throw isEndless(error) && how.until === undefined ? sayUntilWhen(error) : error
      }),
  )

/** Whether the server asks for the end that it was not told. */
const isEndless = (error: unknown): error is Problem =>
  error instanceof Problem && (error.details.errors?.[0] as { pointer?: unknown } | undefined)?.pointer === '/until'

const sayUntilWhen = ({ codeName, code, details: { status, correlationId } }: Problem) =>
  new Problem(codeName, 'It has neither an expiry nor a renewal policy: there is no period to renew it by.', {
    ...(code !== null && { code }),
    hint: '--until INSTANT, or --periods N for the usual period; licet entitlement restart-trial where a trial is to go on',
    ...(status !== undefined && { status }),
    ...(correlationId !== undefined && { correlationId }),
  })
