import { Type } from 'typebox'
import { Uuid } from '../../../catalog-schema/scalars.ts'
import { Closed } from '../../../catalog-schema/shapes.ts'
import { contract } from '../../kit/contract.ts'
import { Instant } from '../../kit/records/answers.ts'
import {
  Count,
  Line,
  NullQuantity,
  NullText,
  nullableProductFields,
  presentQuery,
  Quantity,
  reportBasis,
  reportPath,
  Text,
} from '../shapes.ts'

const entitlements = Count('Live entitlements (Active or Suspended) that are paid for.')
const rates = {
  monthlyRunRate: Quantity('What they bring a month, exactly.'),
  yearlyRunRate: Quantity('The same for twelve months.'),
}
const whose = {
  suiteCode: Text("The suite that the plans are for; a product's own suite has the product's code."),
  ...nullableProductFields,
}

const PlanLine = Line({
  ...whose,
  planSetId: Uuid({ description: 'The plan set.' }),
  planSetName: Text('Its name.'),
  planName: Text('The plan.'),
  pricingMode: NullText('Absolute or Relative; null where the set has the plan no more.'),
  currency: NullText('The currency of the price; null where it is free, or has none.'),
  monthlyPrice: NullQuantity('What it costs a month now; null where it is not priced.'),
  relativeWeight: NullQuantity('Its weight now; null where it is not weighted.'),
  entitlements,
  trials: Count('Live entitlements that are trials, or tried anonymously: they bring nothing yet.'),
  monthlyRunRate: NullQuantity('What they bring a month, exactly; null where no price is known.'),
  yearlyRunRate: NullQuantity('The same for twelve months.'),
  share: NullQuantity('Of a weight: its part of all weights, each counted once for every entitlement; 0 to 1.'),
})

export const revenueContract = contract({
  ...reportBasis,
  name: 'admin.reports.revenue',
  path: reportPath('revenue'),
  summary: 'Report the run rate',
  description:
    'What live entitlements bring a month and a year by the plans they are on, at the prices of now. A suite of several products is not divided among them: its lines name no product. Plans without a price are listed apart and counted nowhere.',
  query: presentQuery,
  answer: Closed({
    asOf: Instant('When it was worked out.'),
    currencies: Type.Array(Line({ currency: Text('ISO 4217.'), entitlements, ...rates })),
    products: Type.Array(Line({ ...whose, currency: Text('ISO 4217.'), entitlements, ...rates })),
    plans: Type.Array(PlanLine, { description: 'Plans with a price, 0 included.' }),
    weightedPlans: Type.Array(PlanLine, { description: 'Plans with a weight.' }),
    unpricedPlans: Type.Array(PlanLine, { description: 'Plans with neither yet.' }),
    withoutPlan: Count('Live entitlements that are on no plan.'),
  }),
  csvLines: ['plans', 'weightedPlans', 'unpricedPlans'],
})
