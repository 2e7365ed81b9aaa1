/** What a running campaign could ask a session. */
export interface Ask {
  campaignId: string
  /** The entry of the feature catalog. */
  featureId: string
  featureCode: string
  featureName: string
  productId: string
  question: string | null
  priority: number | null
}

/** What a feature is asked about in: the campaign's own words, or generic ones where it has none. */
export const questionOf = ({ question, featureName }: Pick<Ask, 'question' | 'featureName'>): string =>
  question ?? `How do you like ${featureName}?`

/** What is known of the session that is asked, and of its user. */
interface Asked {
  isEntitledTo(feature: Pick<Ask, 'productId' | 'featureCode'>): boolean
  /** Whether the feature was rated in the campaign already. */
  hasRated(ask: Pick<Ask, 'campaignId' | 'featureId'>): boolean
  /** When (milliseconds) features were last used, by code. */
  lastUses: ReadonlyMap<string, number>
}

/**
 * What is asked next: of the features that the session is entitled to and that were not rated in the campaign yet, the one
 * of the lowest priority, then the one used last, then the first. One without a priority comes after all that have one, and
 * only once it was used.
 */
export function nextAsk(asks: readonly Ask[], { isEntitledTo, hasRated, lastUses }: Asked): Ask | undefined {
  const lastUse = ({ featureCode }: Ask) => lastUses.get(featureCode) ?? Number.NEGATIVE_INFINITY
  return asks
    .filter((ask) => isEntitledTo(ask) && !hasRated(ask) && (ask.priority !== null || lastUses.has(ask.featureCode)))
    .toSorted((a, b) => ascending(rankOf(a), rankOf(b)) || ascending(lastUse(b), lastUse(a)))[0]
}

const rankOf = ({ priority }: Ask) => priority ?? Number.POSITIVE_INFINITY
/** Infinities have no difference. */
const ascending = (a: number, b: number) => (a === b ? 0 : a < b ? -1 : 1)
