import { sameValue } from '../../../catalog-schema/form.ts'
import { requireRevision } from '../../kit/if-match.ts'
import { toNullableInstant } from '../../kit/instants.ts'
import { invalid } from '../../kit/problem.ts'
import { mutation, query } from '../../kit/procedure.ts'
import { mergeBody, readBody } from '../../kit/records/body.ts'
import { stampOf } from '../../kit/records/stamp.ts'
import { tellRefusedEndpoint } from '../../kit/refused-endpoints.ts'
import { settingsContracts, settingsFields } from './contract.ts'
import { findRetentionErrors } from './retention-limits.ts'
import { completeSettings, lockSettings, readSettings, type StoredSettings, writeSettings } from './store.ts'
import { findIssuerErrors } from './trusted-issuers.ts'

/** What a tenant sets for itself. */
export const settingsProcedures = {
  get: query(settingsContracts.get, async ({ read, tenant }) => toWire(await readSettings(read, tenant.id))),

  update: mutation(settingsContracts.update, async (context, body) => {
    const { tx, tenant, isLocal, issuers, answer } = context
    const stamp = stampOf(context)
    const before = await lockSettings(tx, stamp)
    requireRevision(context, before.revisionNumber)
    const after = completeSettings(mergeBody(settingsFields, before.settings, readBody(settingsFields, body)))
    if (sameValue(before.settings, after)) return toWire(before)
    const areSame = sameValue(before.settings.trustedIssuers, after.trustedIssuers)
    const ofIssuers = areSame ? [] : findIssuerErrors(after.trustedIssuers, issuers, isLocal)
    for (const { pointer, message } of ofIssuers) if (pointer.endsWith('/jwksUri')) tellRefusedEndpoint(answer, message)
    const errors = [...ofIssuers, ...findRetentionErrors(after.webhookRetention)]
    if (errors.length > 0) throw invalid(errors)
    await writeSettings(tx, stamp, after, before)
    return toWire(await readSettings(tx, tenant.id))
  }),
}

const toWire = ({ settings, updatedAt, revisionNumber }: StoredSettings) => ({
  ...settings,
  updatedAt: toNullableInstant(updatedAt),
  revisionNumber,
})
