import { string as text } from '@oclif/core/args'
import { string } from '@oclif/core/flags'
import { Problem } from './problems.ts'

/** Whether a text is the id of a record (a UUID, RFC 9562). */
export const isRecordId = (value: string) =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(value)

/** An id in lower case. Raises cli.usage for anything else, with where ids of the kind are found. */
const idOf = (what: string, hint: string) => async (value: string) => {
  if (isRecordId(value.trim())) return value.trim().toLowerCase()
  // What was typed may be an activation code: it is not repeated.
  throw new Problem('cli.usage', `That is no id of ${what}.`, { hint })
}

const readEntitlementId = idOf('an entitlement', 'licet entitlement find TEXT')
const readSessionId = idOf('a license session', 'licet entitlement show ENTITLEMENT lists them')
const readCodeId = idOf('an activation code', 'licet code list --entitlement ENTITLEMENT lists them')

const readRecordId = idOf('a record', 'licet audit --json has them as recordId')

/** `--record ID`, of whatever kind it is. */
export const recordFlag = string({
  parse: readRecordId,
  summary: 'Only what was done to this record.',
  helpValue: 'ID',
})

const readSubscriptionId = idOf('a webhook subscription', 'licet webhook list')
const readDeliveryId = idOf('a webhook delivery', 'licet webhook deliveries lists them')

/** The ENTITLEMENT of a command, by its id. */
export const entitlementArgument = text({
  required: true,
  parse: readEntitlementId,
  description: 'The id of the entitlement; "licet entitlement find" tells it.',
})

const namedEntitlement = { parse: readEntitlementId, summary: 'The entitlement, by its id.', helpValue: 'ID' }

/** `--entitlement ID`, where the argument is another thing. */
export const entitlementFlag = string({ ...namedEntitlement, required: true })

/** `--entitlement ID`, where a licence may stand for it. */
export const optionalEntitlementFlag = string(namedEntitlement)

/** The SESSION whose seat a command is about, by its id. */
export const sessionArgument = text({
  required: true,
  parse: readSessionId,
  description: 'The id of the license session; "licet entitlement show" lists them.',
})

/** The CODE of a command: its id, since the code itself never goes on a command line. */
export const codeArgument = text({
  required: true,
  parse: readCodeId,
  description: 'The id of the activation code; "licet code list" lists them.',
})

/** The SUBSCRIPTION of a command, by its id. */
export const subscriptionArgument = text({
  required: true,
  parse: readSubscriptionId,
  description: 'The id of the subscription; "licet webhook list" tells it.',
})

/** `--subscription ID`, where the argument is another thing. */
export const subscriptionFlag = string({
  parse: readSubscriptionId,
  summary: 'The subscription, by its id.',
  helpValue: 'ID',
})

/** The DELIVERY that a command can be about, by its id. */
export const optionalDeliveryArgument = text({
  parse: readDeliveryId,
  description: 'The id of the delivery; "licet webhook deliveries" lists them.',
})

/** The USER of a command. */
export const userArgument = text({ required: true, description: 'The e-mail address of the user, or the id.' })
