import { activations } from './activations/procedures.ts'
import { campaigns } from './campaigns/procedures.ts'
import { featureValue } from './feature-value/procedures.ts'
import { ratings } from './ratings/procedures.ts'
import { revenue } from './revenue/procedures.ts'
import { usage } from './usage/procedures.ts'

/** What the vendor learns from all of it: read-only. */
export const reportProcedures = { revenue, featureValue, usage, activations, ratings, campaigns }
