import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ChosenEnvironment, environmentName, envWords } from '../environments/choosing.ts'
import { exitCodes, Problem } from '../problems.ts'
import { duringPhase } from '../progress.ts'
import {
  type EventType,
  listFirst,
  type Subscription,
  type SubscriptionInput,
  webhooksClient,
} from './tenant-records.ts'

/** What is needed to do this to a subscription. */
export const scopeTo = (verb: 'read' | 'create' | 'update' | 'delete') => `webhooks.subscriptions:${verb}`

/** How long is waited for a subscription to be made, and before it is asked again where the answer was lost. */
const creationMs = 30_000
const pauseMs = 500
/** How long is waited for a challenge: a server gives the endpoint 30 s. */
const challengeMs = 60_000

/** A subscription that is wanted; what is absent is as the server has it, and what words there are it knows itself. */
export interface SubscriptionWish {
  url: string
  eventTypes: string[]
  name?: string | undefined
  filter?: {
    entityKinds?: string[] | undefined
    severities?: string[] | undefined
    attributes?: Record<string, string | number | boolean> | undefined
  }
  callbackScopes?: string[] | undefined
  signatureProfile?: 'Default' | 'StandardWebhooks' | undefined
  secret?: string | undefined
}

/**
 * Makes a subscription that waits for its challenge; the answer alone has the secret. An answer that is lost is asked for
 * once more, which makes no second one. A refusal of an address that is not public says what to do about it, and a second
 * lost answer how to look for what may have been made.
 */
export const createSubscription = (
  environment: ChosenEnvironment,
  wish: SubscriptionWish,
): Promise<Subscription & { secret: string }> =>
  duringPhase(`Subscribing in ${environmentName(environment)}`, async () => {
    const { create } = webhooksClient(environment, [scopeTo('create')], {
      timeoutMs: creationMs,
      idempotencyKey: randomUUID(),
    }).subscriptions
    const ask = () => create.mutate(wish as SubscriptionInput)
    try {
      return await ask().catch(async (error: unknown) => {
        if (!isLost(error)) throw error
        await sleep(pauseMs)
        return ask()
      })
    } catch (error) {
      if (isLost(error)) throw perhapsMade(error, wish.url)
      throw error instanceof Problem && isAboutUrl(error) ? notPublic(error) : error
    }
  })

/** The subscriptions of a tenant, at most `limit` of them, and how many there are. */
export const listSubscriptions = (
  environment: ChosenEnvironment,
  limit: number,
): Promise<{ items: Subscription[]; total: number }> =>
  duringPhase(`Reading from ${environmentName(environment)}`, () => {
    const { list } = webhooksClient(environment, [scopeTo('read')]).subscriptions
    return listFirst(limit, (page) => list.query(page))
  })

export const getSubscription = (environment: ChosenEnvironment, id: string): Promise<Subscription> =>
  duringPhase(`Reading from ${environmentName(environment)}`, () =>
    webhooksClient(environment, [scopeTo('read')]).subscriptions.get.query({ id }),
  )

/** Removes a subscription: nothing is sent to it any more. */
export const removeSubscription = (environment: ChosenEnvironment, id: string, timeoutMs?: number): Promise<unknown> =>
  duringPhase(`Removing it from ${environmentName(environment)}`, () =>
    webhooksClient(environment, [scopeTo('delete')], { timeoutMs }).subscriptions.delete.mutate({ id }),
  )

/** Has the endpoint of a subscription challenged; it is Active then. `signal` gives it up; an endpoint that does not pass is a negative answer (webhook.verification_failed). */
export const challengeSubscription = (
  environment: ChosenEnvironment,
  id: string,
  signal?: AbortSignal,
): Promise<Subscription> =>
  duringPhase('Waiting for the endpoint to answer its challenge', () =>
    webhooksClient(environment, [scopeTo('update')], { timeoutMs: challengeMs })
      .subscriptions.verify.mutate({ id }, { signal })
      .catch((error: unknown) => {
        throw error instanceof Problem && error.codeName === 'webhook.verification_failed'
          ? notPassed(error, id, environment)
          : error
      }),
  )

/** Sends a sample event to a subscription alone, which must be Active (catalog.invalid_transition). */
export const testFire = (
  environment: ChosenEnvironment,
  id: string,
  eventType: string,
): Promise<{ eventId: string; deliveryId: string }> =>
  duringPhase(`Sending a test event from ${environmentName(environment)}`, () =>
    webhooksClient(environment, [scopeTo('update')])
      .subscriptions.testFire.mutate({ id, eventType: eventType as EventType })
      .catch((error: unknown) => {
        throw error instanceof Problem && error.codeName === 'catalog.invalid_transition'
          ? notActive(error, id, environment)
          : error
      }),
  )

/** Whether nobody knows what a server did: no answer came of it, or one of something before it. */
const isLost = (error: unknown): error is Problem =>
  error instanceof Problem && /^(?:cli\.unreachable|cli\.unreadable_answer|http\.5\d\d)$/.test(error.codeName)

const perhapsMade = ({ codeName, message, details }: Problem, url: string) =>
  new Problem(codeName, message, {
    ...details,
    hint: `a subscription may have been made all the same: "licet webhook list" shows it by its URL (${url}), "licet webhook remove ID --yes" removes it`,
  })

const isAboutUrl = ({ codeName, details }: Problem) =>
  codeName === 'license.validation_error' &&
  (details.errors ?? []).some((error) => (error as { pointer?: unknown } | null)?.pointer === '/url')

const notPublic = ({ codeName, message, details }: Problem) =>
  new Problem(codeName, message, {
    ...details,
    hint: 'a server sends to public https addresses alone: for one on this machine run your own with "licet serve --allow-private-webhooks", or put a tunnel before it (licet webhook listen --public-url URL)',
  })

const notActive = ({ codeName, message, details }: Problem, id: string, { name }: ChosenEnvironment) =>
  new Problem(codeName, message, {
    ...details,
    hint: `licet webhook check ${id}${envWords(name)} has its endpoint challenged; when that passes, it is Active`,
  })

const notPassed = ({ codeName, message, details }: Problem, id: string, { name }: ChosenEnvironment) =>
  new Problem(codeName, message, {
    ...details,
    exitCode: exitCodes.negative,
    hint: `mend what it says (has the endpoint the secret of this subscription?), then licet webhook check ${id}${envWords(name)}`,
  })
