import { counted } from '../counting.ts'
import { endOf } from '../entitlement-standing.ts'
import { fitText } from '../fitting.ts'
import { tableOf } from '../table.ts'
import type { MadeEntitlement, ShownEntitlement } from '../tasks/entitlements.ts'
import type { FoundEntitlement } from '../tasks/find-entitlements.ts'
import type { Entitlement } from '../tasks/tenant-records.ts'
import { instantWords } from '../time-words.ts'
import { visible } from '../visible-text.ts'
import type { Canvas } from './canvas.ts'
import { factLines } from './license.ts'
import { seatLines } from './seats.ts'
import { stackedTable } from './stacking.ts'

const seatWords = ({ taken, limit }: { taken: number; limit: number | null }) =>
  limit === null ? `${counted(taken, 'seat')} taken, of any number` : `${taken} of ${counted(limit, 'seat')} taken`

const whenWords = (instant: string | null, now: number) =>
  instant === null ? null : instantWords(Date.parse(instant), now)

/** Its status, and its subscription's where that says more. */
const statusWords = ({ status, subscriptionStatus }: Pick<Entitlement, 'status' | 'subscriptionStatus'>) =>
  subscriptionStatus === 'Trialing' ? `${status}, a trial` : status

/** Entitlements that were found, each with what tells it from the others. */
export function foundLines(entitlements: readonly FoundEntitlement[], canvas: Canvas): string[] {
  const rows = entitlements.map(({ id, name, plan, seats, endsAt, customer, orderId, ...standing }) => {
    const end = endsAt?.slice(0, 10) ?? null
    const owner = customer?.name ?? null
    const taken = seats.limit === null ? String(seats.taken) : `${seats.taken} of ${seats.limit}`
    return {
      cells: [id, name, owner, statusWords(standing), plan, taken, end, orderId],
      head: `${id}  ${name}`,
      below: [
        owner,
        statusWords(standing),
        plan === null ? null : `plan ${plan}`,
        seatWords(seats),
        end === null ? null : `until ${end}`,
        orderId === null ? null : `order ${orderId}`,
      ],
    }
  })
  return stackedTable(['ENTITLEMENT', 'NAME', 'CUSTOMER', 'STATUS', 'PLAN', 'SEATS', 'UNTIL', 'ORDER'], rows, canvas)
}

/** One entitlement as support needs it on one screen: whose it is, how it stands, what it gives, and who holds its seats. */
export function entitlementLines(shown: ShownEntitlement, now: number, canvas: Canvas): string[] {
  const { entitlement, customer, codes, seats } = shown
  const { name, version } = entitlement
  return [
    canvas.colours.bold(fitText(visible(version === null ? name : `${name} ${version}`), canvas.width)),
    ...factLines([
      ['entitlement', entitlement.id],
      ['customer', customer === null ? null : personWords(customer.name, customer.email)],
      ['contact', personWords(entitlement.customerContactName, entitlement.customerContactEmail)],
      ['order', entitlement.orderId],
      ['reference', entitlement.reference ?? entitlement.externalReference],
      ['license key', entitlement.licenseKey],
      ['status', statusWords(entitlement)],
      ['valid from', whenWords(entitlement.notValidBeforeDateTime, now)],
      [entitlement.renewalPolicy?.autoRenew ? 'renews itself' : 'ends', whenWords(endOf(entitlement), now)],
      ['plan', planWords(entitlement)],
      ['products', entitlement.products.map(productWords).join(', ')],
      ['license model', entitlement.licensePolicy?.licenseModel ?? 'NodeLocked'],
      ['codes', codes === 0 ? 'none' : `${codes} (licet code list --entitlement ID)`],
    ]),
    ...featureLines(entitlement, now),
    '',
    `${seatWords(seats)}${seats.sessions.length > 0 ? ':' : '.'}`,
    ...(seats.sessions.length > 0 ? seatLines(seats.sessions, now, canvas) : []),
    ...(seats.more ? ['… and more (--limit)'] : []),
    ...(seats.limit !== null && seats.taken >= seats.limit && seats.taken > 0
      ? ['Next, to free one: licet entitlement release SESSION']
      : []),
  ]
}

/** An entitlement that was made, with its code for whoever is to have it. */
export const madeLines = ({ entitlement, activationCode }: MadeEntitlement): string[] =>
  factLines([
    ['entitlement', entitlement.id],
    ['name', entitlement.name],
    ['status', statusWords(entitlement)],
    ['plan', planWords(entitlement)],
    ['code', activationCode],
  ])

/** How an entitlement stands after something was done to it; the end that a cancelled one had does not matter any more. */
export const standingLine = (entitlement: Entitlement, now: number) => {
  const end = entitlement.status === 'Cancelled' ? null : whenWords(endOf(entitlement), now)
  return visible(`${entitlement.name} is ${statusWords(entitlement)}${end === null ? '' : `; it ends ${end}`}.`)
}

const personWords = (name: string | null, email: string | null) =>
  name !== null && email !== null ? `${name} <${email}>` : (name ?? email)

const planWords = ({ assignedPlanName, addOns }: Pick<Entitlement, 'assignedPlanName' | 'addOns'>) =>
  [assignedPlanName, ...addOns.map(({ name }) => name)].filter((name) => name !== null).join(' + ')

const productWords = ({ productCode, productVersion }: Entitlement['products'][number]) =>
  productVersion === null ? productCode : `${productCode}@${productVersion}`

const mostFeatures = 40
const longestCell = 30

function featureLines({ features }: Entitlement, now: number): string[] {
  if (features.length === 0) return []
  const rows = features
    .slice(0, mostFeatures)
    .map(({ featureCode, value, isEnabled, featureExpiration }) => [
      fitText(featureCode, longestCell),
      value === null ? null : fitText(value, longestCell),
      isEnabled ? (featureExpiration === null ? '' : untilWords(featureExpiration, now)) : 'disabled',
    ])
  const rest = features.length - rows.length
  return [
    '',
    ...tableOf(['FEATURE', 'VALUE', ''], rows).split('\n'),
    ...(rest > 0 ? [`… and ${counted(rest, 'feature')} more (--json lists all)`] : []),
  ]
}

const untilWords = (instant: string, now: number) =>
  `${Date.parse(instant) > now ? 'until' : 'ended'} ${instant.slice(0, 10)}`
