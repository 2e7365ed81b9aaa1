import { newId } from '../../kit/ids.ts'
import type { Cause } from '../../kit/outbox.ts'
import { invalid, Problem } from '../../kit/problem.ts'
import { toColumns } from '../../kit/records/columns.ts'
import { rowHead } from '../../kit/records/stamp.ts'
import type { Sealer } from '../../kit/sealing.ts'
import { drawKey, findKeyStyle, type KeyedEntitlement, keyPolicyInForce } from '../key-issuance/drawing.ts'
import { sealCode } from './code-text.ts'
import type { CodeRecord } from './contract.ts'
import { workflowStorage } from './fields.ts'
import { crockfordKeyOf, findCodes, lookalikeKeyOf, lookupKeysOf, plainKeyOf } from './lookup.ts'
import { isCrockford } from './normal-forms.ts'
import type { WorkflowFields, WorkflowParameters } from './parameters.ts'
import { readParameters } from './reading.ts'
import { type CodeRow, insertCode, lockText } from './store.ts'
import { toWire } from './wire.ts'

type Issuing = Cause & { sealer: Sealer }

interface NewCode {
  entitlementId: string
  text: string
  lookupKey: string
  workflow: WorkflowFields
}

/** How many codes are drawn before a template counts as full. */
const mostTries = 500
/** An activation request names no longer code. */
const longestCode = 200

/**
 * Issues a code of an entitlement: the one given, or one made by its key issuance policy. Throws the validation problem for
 * parameters that cannot be, pointing below `at`, and catalog.duplicate_key for a code that another is looked up by already,
 * or when the policy's template finds none that is free.
 */
export async function issueCode(
  cause: Issuing,
  entitlement: KeyedEntitlement,
  parameters: WorkflowParameters,
  at = '',
): Promise<{ record: CodeRecord; activationCode: string }> {
  const workflow = await readParameters(cause, parameters, at)
  const row =
    workflow.activationCode === null
      ? await keepDrawn(cause, entitlement, workflow, at)
      : await keepGiven(cause, entitlement, workflow, workflow.activationCode)
  const record = toWire(cause.sealer, { ...row, held_activations: 0 }, cause.now)
  return { record, activationCode: record.activationCode }
}

/** Where the entitlement's alphabet is CrockfordBase32, one that it could have made is looked up as if it had, and any other with the same look-alikes. */
async function keepGiven(cause: Issuing, entitlement: KeyedEntitlement, workflow: WorkflowFields, text: string) {
  const lenientKeyOf = isCrockford(text) ? crockfordKeyOf : lookalikeKeyOf
  const keyOf = keyPolicyInForce(entitlement).alphabet === 'CrockfordBase32' ? lenientKeyOf : plainKeyOf
  const lookupKey = keyOf(cause.sealer, cause.tenantId, text)
  const row = await keep(cause, { entitlementId: entitlement.id, text, lookupKey, workflow })
  if (!row) throw new Problem('catalog.duplicate_key', 'There is a code already that the same text looks up.')
  return row
}

async function keepDrawn(cause: Issuing, entitlement: KeyedEntitlement, workflow: WorkflowFields, at: string) {
  const mustBeGiven = (why: string) =>
    invalid([{ pointer: `${at}/activationCode`, message: `must be given, as the key issuance policy ${why}` }])
  const style = await findKeyStyle(cause, entitlement)
  if (!style) throw mustBeGiven('needs the code of a product and the entitlement has none')
  const keyOf = style.policy.alphabet === 'CrockfordBase32' ? crockfordKeyOf : plainKeyOf
  for (let tries = 0; tries < mostTries; tries++) {
    const text = await drawKey(cause, style)
    if (text === undefined) throw noRoom('its {seq:N} has reached its last number')
    if ([...text].length > longestCode) throw mustBeGiven(`makes codes of more than ${longestCode} characters`)
    const lookupKey = keyOf(cause.sealer, cause.tenantId, text)
    const row = await keep(cause, { entitlementId: entitlement.id, text, lookupKey, workflow })
    if (row) return row
  }
  throw noRoom('every code it made is taken')
}

const noRoom = (why: string) =>
  new Problem(
    'catalog.duplicate_key',
    `The template of the key issuance policy has no room left: ${why}. Give it more random characters or digits, or a wider sequenceScope.`,
  )

/** Writes a code unless another live one looks up alike. */
async function keep(cause: Issuing, { entitlementId, text, lookupKey, workflow }: NewCode) {
  const { tx, tenantId, sealer } = cause
  await lockText(tx, crockfordKeyOf(sealer, tenantId, text))
  const alike = await findCodes(tx, tenantId, lookupKeysOf(sealer, tenantId, text))
  if (alike.length > 0) return undefined
  const head = rowHead(newId(), undefined, cause)
  const row = {
    ...head,
    ...toColumns(workflowStorage, workflow),
    entitlement_id: entitlementId,
    lookup_key: lookupKey,
    sealed_code: sealCode(sealer, head, text),
    revoked_at: null,
    used_activations: 0,
  } as CodeRow
  return (await insertCode(tx, row)) ? row : undefined
}
