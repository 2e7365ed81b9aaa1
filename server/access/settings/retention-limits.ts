import { addDuration } from '../../kit/duration-adding.ts'
import type { FieldError } from '../../kit/problem.ts'
import type { WebhookRetention } from './contract.ts'

const day = 24 * 3_600_000
const mostDays = 3650

/** What is wrong with how long deliveries are to be kept. */
export const findRetentionErrors = (retention: WebhookRetention): FieldError[] =>
  Object.entries(retention).flatMap(([name, duration]) => {
    const days = addDuration(0, duration) / day
    return days >= 1 && days <= mostDays
      ? []
      : [{ pointer: `/webhookRetention/${name}`, message: `must be 1 to ${mostDays} days` }]
  })
