import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server'
import type { AppRouter } from '../../server/router.ts'
import type { ChosenEnvironment } from '../environments/choosing.ts'
import { Problem } from '../problems.ts'
import { routerClient } from '../router-client.ts'
import { type ServerClient, serverClient } from '../server-client.ts'

type Answers = inferRouterOutputs<AppRouter>
type Admin = Answers['admin']

export type Entitlement = Admin['entitlements']['get']
export type Session = Admin['sessions']['get']
export type ActivationCode = Admin['entitlements']['activationCodes']['get']
export type Customer = Admin['customers']['get']
export type User = Admin['users']['get']
export type AuditEntry = Admin['audit']['get']

/** The reports by the names that people ask for them by. */
export type Reports = Omit<Admin['reports'], 'featureValue'> & { 'feature-value': Admin['reports']['featureValue'] }

type OperationalEntitlements = Answers['operational']['entitlements']

export type Meter = OperationalEntitlements['usage']['meters'][number]
export type LedgerEntry = OperationalEntitlements['balances']['ledger']['items'][number]
export type Decision = Answers['usage']['tryConsume']
export type Acknowledgement = Answers['usage']['sessions']['transactions']

type Webhooks = Answers['webhooks']

type WebhookInputs = inferRouterInputs<AppRouter>['webhooks']['subscriptions']

/** What a subscription can be made of. */
export type SubscriptionInput = WebhookInputs['create']
export type EventType = WebhookInputs['testFire']['eventType']
export type Subscription = Webhooks['subscriptions']['get']
export type DeliveryRecord = Webhooks['deliveries']['list']['items'][number]
export type EventTypes = Webhooks['schemas']['eventTypes']
export type DeliveryWithAttempts = Webhooks['deliveries']['get']

/** Whether a server refused because there is none of these, in the words of its not-found problem. */
export const isNoSuch = (what: string, error: unknown) =>
  error instanceof Problem && error.message === `There is no such ${what}.`

/** What the back office does, typed by the server's router, with these scopes and no more. */
export const adminClient = (environment: ChosenEnvironment, ...scopes: string[]) =>
  routerClient<AppRouter>(serverClient(environment, scopes)).admin

/** What the vendor's own systems do, likewise. */
export const operationalClient = (environment: ChosenEnvironment, ...scopes: string[]) =>
  routerClient<AppRouter>(serverClient(environment, scopes)).operational

/**
 * What webhook administration does, likewise; `timeoutMs` where an answer is worth less than others, `idempotencyKey`
 * where an answer that is lost will be asked for again.
 */
export const webhooksClient = (
  environment: ChosenEnvironment,
  scopes: readonly string[],
  { timeoutMs, idempotencyKey }: { timeoutMs?: number | undefined; idempotencyKey?: string } = {},
) => {
  const server = serverClient(environment, scopes)
  return routerClient<AppRouter>(idempotencyKey ? withKey(server, idempotencyKey) : server, timeoutMs).webhooks
}

const withKey = (server: ServerClient, key: string): ServerClient => ({
  ...server,
  request: (method, path, options) =>
    server.request(method, path, { ...options, headers: { ...options?.headers, 'idempotency-key': key } }),
})

export type AdminClient = ReturnType<typeof adminClient>

const largestPage = 100

interface Page<Item> {
  items: Item[]
  totalCount: number
  hasNextPage: boolean
}

/** The first items of a list, at most `limit` of them, and how many there are. */
export async function listFirst<Item>(
  limit: number,
  readPage: (page: { pageSize: number; pageNumber: number }) => Promise<Page<Item>>,
): Promise<{ items: Item[]; total: number }> {
  const items: Item[] = []
  const pageSize = Math.min(limit, largestPage)
  for (let pageNumber = 1; ; pageNumber++) {
    const page = await readPage({ pageSize, pageNumber })
    items.push(...page.items)
    if (!page.hasNextPage || items.length >= limit) return { items: items.slice(0, limit), total: page.totalCount }
  }
}
