import { boolean } from '@oclif/core/flags'

/** The word for each kind of change that hurts, for every command that changes a protected environment. */
export const guardFlags = {
  'allow-price-change': boolean({
    summary: 'In a protected environment: change prices, too.',
    description: 'The price, currency, weight or pricing mode of a plan that is there already.',
  }),
  'allow-retire': boolean({
    summary: 'In a protected environment: retire what is sold, too.',
    description: 'A step out of sale (Retired, Disabled, Archived, Suspended, Cancelled, Expired), or an earlier end.',
  }),
  'allow-revalue': boolean({
    summary: 'In a protected environment: change what plans, add-ons and offers give, too.',
    description:
      'Feature values, those that take the place of what held so far among them, tiers, credits, seats, trials, periods, who may activate, and what a plan no longer includes.',
  }),
  'allow-unlock': boolean({
    summary: 'In a protected environment: unlock products that are locked there, too.',
    description:
      'A locked product refuses every edit; a catalog that says isLocked: false unlocks and edits it at once.',
  }),
}
