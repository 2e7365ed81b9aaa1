import { causeOf } from '../../kit/cause.ts'
import type { WriteContext } from '../../kit/context.ts'
import { requireRevision } from '../../kit/if-match.ts'
import { fromInstant } from '../../kit/instants.ts'
import { recordEvents } from '../../kit/outbox.ts'
import { mutation } from '../../kit/procedure.ts'
import { type EntitlementRow, lockEntitlement } from '../entitlements/loading.ts'
import { isOfferId } from '../entitlements/offers-among.ts'
import { saveEntitlement } from '../entitlements/saving.ts'
import { answerEntitlement } from '../entitlements/wire.ts'
import { keepBeside, stepOffer } from '../offers/editing.ts'
import { lifeContracts, offerLifeContracts, operationalLifeContracts, type RenewalBody } from './contract.ts'
import { renew as renewRow } from './renewing.ts'
import { restartTrial as restartTrialOf } from './restarting.ts'
import { type Settled, settle } from './settling.ts'
import { type StepName, takeStep, targetOf } from './steps.ts'

/** Does something to the life of an entitlement, as it stands by now, and answers it. */
async function change(context: WriteContext, id: string, deed: (row: EntitlementRow) => Settled) {
  const { tx, tenant, now } = context
  const cause = causeOf(context)
  const before = await lockEntitlement(tx, tenant.id, id)
  requireRevision(context, before.revision_number)
  const settled = settle(before, now)
  const { row, happenings } = deed(settled.row)
  await recordEvents(cause, [...settled.happenings, ...happenings])
  await saveEntitlement(cause, row, before)
  return answerEntitlement(tx, tenant.id, id)
}

const step =
  (name: StepName) =>
  async (context: WriteContext, { id }: { id: string }) => {
    if (!(await isOfferId(context, id))) return change(context, id, (row) => takeStep(row, name, context.now))
    await offerStep(name)(context, { id })
    return answerEntitlement(context.tx, context.tenant.id, id)
  }

const offerStep =
  (name: StepName) =>
  (context: WriteContext, { id }: { id: string }) =>
    stepOffer(context, id, (status) => targetOf(name, status))

/** Opens or closes an entitlement, or an offer, to devices that hold no seat; that it is so already changes nothing. */
const openTo =
  (activations_enabled: 0 | 1) =>
  async (context: WriteContext, { id }: { id: string }) => {
    if (!(await isOfferId(context, id)))
      return change(context, id, (row) => ({ row: { ...row, activations_enabled }, happenings: [] }))
    await offerOpenTo(activations_enabled)(context, { id })
    return answerEntitlement(context.tx, context.tenant.id, id)
  }

const offerOpenTo =
  (activations_enabled: 0 | 1) =>
  (context: WriteContext, { id }: { id: string }) =>
    keepBeside(context, id, { activations_enabled })

const renew = (context: WriteContext, { id, until, periods }: { id: string } & RenewalBody) =>
  change(context, id, (row) =>
    renewRow(row, { until: fromInstant(until ?? null) ?? undefined, periods: periods ?? undefined }, context.now),
  )

const restartTrial = (context: WriteContext, { id }: { id: string }) =>
  change(context, id, (row) => restartTrialOf(row, context.now))

/** The life of an entitlement, as the back office steers it; an offer takes its steps too, and is neither renewed nor tried anew. */
export const life = {
  activate: mutation(lifeContracts.activate, step('activate')),
  suspend: mutation(lifeContracts.suspend, step('suspend')),
  resume: mutation(lifeContracts.resume, step('resume')),
  cancel: mutation(lifeContracts.cancel, step('cancel')),
  enableActivations: mutation(lifeContracts.enableActivations, openTo(1)),
  disableActivations: mutation(lifeContracts.disableActivations, openTo(0)),
  renew: mutation(lifeContracts.renew, renew),
  restartTrial: mutation(lifeContracts.restartTrial, restartTrial),
}

/** The steps of an offer, at its own path. */
export const offerLife = {
  activate: mutation(offerLifeContracts.activate, offerStep('activate')),
  suspend: mutation(offerLifeContracts.suspend, offerStep('suspend')),
  resume: mutation(offerLifeContracts.resume, offerStep('resume')),
  cancel: mutation(offerLifeContracts.cancel, offerStep('cancel')),
  enableActivations: mutation(offerLifeContracts.enableActivations, offerOpenTo(1)),
  disableActivations: mutation(offerLifeContracts.disableActivations, offerOpenTo(0)),
}

/** The life of an entitlement, as the vendor's backend steers it. */
export const operationalLife = {
  renew: mutation(operationalLifeContracts.renew, renew),
  restartTrial: mutation(operationalLifeContracts.restartTrial, restartTrial),
}
