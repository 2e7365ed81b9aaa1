import { feedbackItems } from './items/procedures.ts'

/** What feedback adds to the router, below `admin`. */
export const feedbackProcedures = {
  admin: { feedback: feedbackItems },
}
