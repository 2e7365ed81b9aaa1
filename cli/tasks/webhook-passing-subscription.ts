import { hostname } from 'node:os'
import { type ChosenEnvironment, environmentName, envWords } from '../environments/choosing.ts'
import { Problem } from '../problems.ts'
import { serverClient } from '../server-client.ts'
import type { Ending } from '../webhook-listening/ending.ts'
import type { Subscription } from './tenant-records.ts'
import { challengeSubscription, createSubscription, removeSubscription, scopeTo } from './webhook-subscriptions.ts'

/** How long is waited for a server when somebody wants to leave. */
const removalMs = 15_000

/** A subscription that is to live as long as a listener does. */
export interface PassingWish {
  environment: ChosenEnvironment
  url: string
  eventTypes: string[]
  secret: string
}

/** Tells how a subscription gets on that lives as long as a listener does. */
export interface SubscriptionTeller {
  subscribed(subscription: Subscription): void
  verified(subscription: Subscription, environment: Pick<ChosenEnvironment, 'name'>): void
  removed(id: string): void
  warn(message: string): void
}

/**
 * Subscribes a listener until it is told to stop, and removes the subscription again whatever happens, an interruption
 * half-way through the set-up included. Raises what went wrong: before anything is made, which scopes are missing; of a
 * removal that failed, how to do it by hand.
 */
export async function whileSubscribed(
  { environment, ...wish }: PassingWish,
  ending: Ending,
  teller: SubscriptionTeller,
): Promise<void> {
  const place = environmentName(environment)
  await requireScopes(environment)
  if (ending.signal.aborted) return
  ending.lastWords = `A subscription may be left behind in ${place}. Look with: licet webhook list`
  const name = `licet webhook listen on ${hostname()}`.slice(0, 100)
  const subscription = await createSubscription(environment, { name, ...wish })
  const { id } = subscription
  const byHand = `licet webhook remove ${id} --yes${envWords(environment.name)}`
  ending.lastWords = `The subscription ${id} may be left behind in ${place}. Remove it with: ${byHand}`
  let failure: { error: unknown } | undefined
  try {
    teller.subscribed(subscription)
    ending.signal.throwIfAborted()
    teller.verified(await challengeSubscription(environment, id, ending.signal), environment)
    await ending.told
  } catch (error) {
    // What is given up on the way out has not failed.
    if (!ending.signal.aborted) failure = { error: unreached(error, wish.url) }
  }
  const left = await removeSubscription(environment, id, removalMs).then(
    () => undefined,
    (cause: unknown) => leftBehind(id, place, byHand, cause),
  )
  ending.lastWords = undefined
  if (!left) teller.removed(id)
  else if (failure) teller.warn(`${left.message} Remove it with: ${byHand}`)
  if (failure) throw failure.error
  if (left) throw left
}

/** Raises cli.credentials naming the scopes that are missing: without one of them, a subscription would be left behind. */
async function requireScopes(environment: ChosenEnvironment): Promise<void> {
  const needed = (['create', 'update', 'delete'] as const).map(scopeTo)
  const { scopes } = await serverClient(environment, needed).token()
  const missing = needed.filter((scope) => !scopes.includes(scope))
  if (missing.length === 0) return
  const message = `Client ${environment.clientId} lacks what a subscription that is removed again needs: ${missing.join(' ')}.`
  throw new Problem('cli.credentials', `${message} Nothing was made.`, {
    hint: 'use a client that is registered with them (licet client create --scope …)',
  })
}

/** Whatever is wrong with the answer of this listener is on the way to it. */
function unreached(error: unknown, url: string): unknown {
  if (!(error instanceof Problem) || error.codeName !== 'webhook.verification_failed') return error
  return new Problem(error.codeName, error.message, {
    ...error.details,
    hint: `the server must reach this listener at ${url}: on another machine, by a tunnel that --public-url names`,
  })
}

function leftBehind(id: string, place: string, hint: string, cause: unknown): Problem {
  const why = cause instanceof Error ? cause.message : String(cause)
  return new Problem(
    'cli.failed',
    `The subscription ${id} is left behind in ${place}, since removing it failed: ${why}`,
    {
      hint,
      cause,
    },
  )
}
