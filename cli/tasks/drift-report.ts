import type { inferRouterOutputs } from '@trpc/server'
import type { AppRouter } from '../../server/router.ts'

/** What a server answers of its drift. */
export type DriftReport = inferRouterOutputs<AppRouter>['admin']['catalog']['drift']
