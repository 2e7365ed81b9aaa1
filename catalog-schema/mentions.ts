import { type Place, pathOf } from './forms/place.ts'
import { implicitSuiteCode, keyOf, type ProductName, productText, type SuiteText } from './keys.ts'
import type { Kind } from './order.ts'

type Fields = Readonly<Record<string, unknown>>

/** Something an item names: what it is, and where in the item it is named. */
export class Mention {
  readonly kind: Kind
  /** The fields of its natural key (keys.ts, naturalKeyOf). */
  readonly named: Fields
  readonly #place: Place
  readonly #suite: SuiteText

  constructor(kind: Kind, named: Fields, place: Place, suite: SuiteText) {
    this.kind = kind
    this.named = named
    this.#place = place
    this.#suite = suite
  }

  /** The key string of what is named. */
  get key(): string {
    return keyOf(this.kind, this.named, this.#suite)
  }

  /** Where in the item: an RFC 6901 pointer whose segments are names. */
  get path(): string {
    return pathOf(this.#place)
  }
}

/** What an item names that must exist: its product, its suite, the members, features and plan set it speaks of. Tags are not among them: naming a tag creates it. */
export function mentionsOf(kind: Kind, item: object, suite: SuiteText): Mention[] {
  const found: Mention[] = []
  visitMentions(kind, item, (mentioned, named, place) => found.push(new Mention(mentioned, named, place, suite)))
  return found
}

/** Looks at each thing that an item names, without making a mention of it. */
export function visitMentions(kind: Kind, item: object, find: Find): void {
  finders[kind]?.(item as Fields, find)
}

export type Find = (kind: Kind, named: Fields, place: Place) => void

const byProduct = ['productCode', 'productVersion']
const byFeature = [...byProduct, 'featureCode']

const finders: Partial<Record<Kind, (item: Fields, find: Find) => void>> = {
  product(item, find) {
    if (typeof item.parentProductCode !== 'string') return
    const parent = { productCode: item.parentProductCode, productVersion: item.parentProductVersion }
    find('product', parent, { above: undefined, field: 'parentProductCode' })
  },
  feature: (item, find) => mentionProduct(item, undefined, find),
  monitoredAsset: (item, find) => mentionProduct(item, undefined, find),
  suite(item, find) {
    for (const { member, place } of membersIn(item, 'members', byProduct)) mentionProduct(member, place, find)
  },
  planSet(item, find) {
    mentionSuite(item, find)
    for (const plan of membersIn(item, 'plans', ['name']))
      for (const line of membersIn(plan.member, 'lineItems', byProduct, plan.place))
        mentionFeatures(line, 'featureValues', find)
  },
  addOn(item, find) {
    mentionSuite(item, find)
    for (const { member, place } of membersIn(item, 'features', byFeature))
      mentionFeature(member, member.featureCode, place, find)
  },
  entitlementOffer(item, find) {
    for (const product of membersIn(item, 'products', byProduct)) mentionFeatures(product, 'features', find)
    const plan = item.assignedPlan as Fields | null | undefined
    if (!plan || typeof plan.suiteCode !== 'string' || typeof plan.planSetName !== 'string') return
    const named = { suiteCode: plan.suiteCode, name: plan.planSetName }
    find('planSet', named, { above: { above: undefined, field: 'assignedPlan' }, field: 'planSetName' })
  },
  ratingCampaign(item, find) {
    const list = { above: undefined, field: 'targets' }
    for (const [index, target] of (Array.isArray(item.targets) ? (item.targets as Fields[]) : []).entries())
      mentionFeature(target, target.featureCode, { above: list, index }, find)
  },
}

interface Member {
  member: Fields
  place: Place
}

function membersIn(item: Fields, field: string, namedBy: readonly string[], above?: Place): Member[] {
  const members = Array.isArray(item[field]) ? (item[field] as Fields[]) : []
  const list = { above, field }
  return members.map((member) => ({ member, place: { above: list, member, namedBy } }))
}

function mentionProduct(item: Fields, above: Place | undefined, find: Find): void {
  if (typeof item.productCode !== 'string') return
  const named = { productCode: item.productCode, productVersion: item.productVersion }
  find('product', named, { above, field: 'productCode' })
}

function mentionSuite(item: Fields, find: Find): void {
  if (typeof item.suiteCode === 'string')
    find('suite', { code: item.suiteCode }, { above: undefined, field: 'suiteCode' })
}

/** The product that a member is about, and the features of it in one of the member's lists. */
function mentionFeatures({ member, place }: Member, field: string, find: Find): void {
  mentionProduct(member, place, find)
  for (const value of membersIn(member, field, ['featureCode'], place))
    mentionFeature(member, value.member.featureCode, value.place, find)
}

function mentionFeature(product: Fields, featureCode: unknown, above: Place, find: Find): void {
  if (typeof product.productCode !== 'string' || typeof featureCode !== 'string') return
  const named = { productCode: product.productCode, productVersion: product.productVersion, featureCode }
  find('feature', named, { above, field: 'featureCode' })
}

/** The code of a product's own suite, and its key. */
export const implicitSuiteOf = (product: ProductName) => ({
  code: implicitSuiteCode(product),
  key: `suite:${productText(product)}`,
})
