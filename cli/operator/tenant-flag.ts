import { string } from '@oclif/core/flags'

/** `--tenant SLUG`, for the operator's commands about what one tenant has. */
export const tenantFlag = string({ required: true, summary: 'The tenant, by its slug.', helpValue: 'SLUG' })
