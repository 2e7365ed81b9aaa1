import type { Kind } from '../../catalog-schema/order.ts'

/** How many of a thing, in words: `1 item`, `2 items`. */
export const counted = (count: number, word: string, plural = `${word}s`) => `${count} ${count === 1 ? word : plural}`

const kindWords: Record<Kind, string> = {
  tag: 'tags',
  product: 'products',
  feature: 'features',
  monitoredAsset: 'metrics',
  suite: 'suites',
  planSet: 'plan sets',
  addOn: 'add-ons',
  entitlementOffer: 'offers',
  ratingCampaign: 'rating campaigns',
}

/** What several items of a kind are called; a kind that is not known is `other`. */
export const kindWord = (kind: string) => (Object.hasOwn(kindWords, kind) ? kindWords[kind as Kind] : 'other')
