import type { AddOn } from '../../../catalog-schema/add-on.ts'
import { canonicalItem, changesBetween } from '../../../catalog-schema/canonical.ts'
import { keyOf } from '../../../catalog-schema/keys.ts'
import type { Tx } from '../../database/database.ts'
import type { WriteContext } from '../../kit/context.ts'
import { newId } from '../../kit/ids.ts'
import { requireRevision } from '../../kit/if-match.ts'
import { Problem } from '../../kit/problem.ts'
import { mutation, query } from '../../kit/procedure.ts'
import { applyBody, readBody } from '../../kit/records/body.ts'
import { refuseInUse } from '../../kit/records/in-use.ts'
import { answerPage } from '../../kit/records/paging.ts'
import { rowHead, stampOf } from '../../kit/records/stamp.ts'
import { getRecord, softDelete, writeRecords } from '../../kit/records/store.ts'
import { listEntitlementsHaving } from '../records/entitlements-having.ts'
import { lockCatalog, moveRevision } from '../records/revision.ts'
import { requireStep, requireStepOrSame } from '../records/steps.ts'
import { getGivenSuite, requireOwnSuite } from '../suites/given-suite.ts'
import { getSuite, loadAround, type SuiteStanding } from '../suites/surroundings.ts'
import { addOnContracts, addOnCreateFields, addOnEditFields, publishContract, retireContract } from './contract.ts'
import { type AddOnRow, readReferences, toItem, toRow } from './items.ts'
import { addOnSource, findAddOnByCode, productsNamedBy } from './store.ts'
import { answerAddOn, toWire } from './wire.ts'
import { nameFeatures, refuseWrongValues } from './written.ts'

const list = query(addOnContracts.list, (context, input) => answerPage(context, input, addOnSource, toWire))

const get = query(addOnContracts.get, ({ read, tenant }, { id }) => answerAddOn(read, tenant.id, id))

const create = mutation(addOnContracts.create, async (context, body) => {
  const { tx, tenant } = context
  await lockCatalog(tx, tenant.id)
  const suite = await getGivenSuite(tx, tenant.id, body)
  const around = await loadAround(tx, tenant.id, [], [suite])
  const { suiteId: _suite, productId: _product, ...given } = readBody(addOnCreateFields, body)
  const features = nameFeatures(given, suite, around)
  refuseWrongValues({ ...given, ...features, suiteCode: suite.code }, around)
  const item = canonicalItem('addOn', { ...given, ...features, suiteCode: suite.code }) as unknown as AddOn
  const id = newId()
  await requireFreeCode(tx, tenant.id, item.code)
  await writeRecords(tx, 'add_ons', [toRow(item, id, around.names, stampOf(context))])
  await moveRevision(tx, tenant.id)
  return answerAddOn(tx, tenant.id, id)
})

const update = mutation(addOnContracts.update, (context, { id, ...body }) => edit(context, id, body))
const replace = mutation(addOnContracts.replace, (context, { id, ...body }) => edit(context, id, body))

async function edit(context: WriteContext, id: string, { suiteId, ...body }: { suiteId?: string | null }) {
  const { tx, tenant } = context
  const row = await load(context, id)
  requireOwnSuite(row, suiteId)
  const { suite, around } = await surroundingsOf(tx, row)
  const before = toItem(row, around.names)
  const given = readBody(addOnEditFields, body)
  const named = { ...given, ...nameFeatures(given, suite, around) }
  refuseWrongValues({ suiteCode: suite.code, code: row.code, ...named }, around)
  const after = applyBody('addOn', addOnEditFields, before, named) as unknown as AddOn
  requireStepOrSame('addOn', before, after)
  if (changesBetween('addOn', before, after).length === 0) return answerAddOn(tx, tenant.id, row.id)
  if (after.code !== before.code) await requireFreeCode(tx, tenant.id, after.code)
  await writeRecords(tx, 'add_ons', [toRow(after, row.id, around.names, stampOf(context), row)])
  await moveRevision(tx, tenant.id)
  return answerAddOn(tx, tenant.id, row.id)
}

async function surroundingsOf(tx: Tx, row: AddOnRow) {
  const suite: SuiteStanding = await getSuite(tx, row.tenant_id, row.suite_id)
  const named = await productsNamedBy(tx, row.tenant_id, readReferences(row))
  return { suite, around: await loadAround(tx, row.tenant_id, named, [suite]) }
}

/** Loads the add-on that is to be changed, once it is this request's turn to change the catalog. */
async function load(context: WriteContext, id: string): Promise<AddOnRow> {
  const { tx, tenant } = context
  await lockCatalog(tx, tenant.id)
  const row = await getRecord(tx, 'add_ons', tenant.id, id, 'add-on')
  requireRevision(context, row.revision_number)
  return row
}

async function requireFreeCode(tx: Tx, tenantId: string, code: string) {
  if (await findAddOnByCode(tx, tenantId, code))
    throw new Problem('catalog.duplicate_key', `There is an add-on with the code "${code}" already.`)
}

const remove = mutation(addOnContracts.delete, async (context, { id }) => {
  const { tx, tenant } = context
  const row = await load(context, id)
  refuseInUse(keyOf('addOn', row), await listEntitlementsHaving(tx, tenant.id, { addOnIds: [row.id] }))
  await softDelete(tx, 'add_ons', stampOf(context), [row.id])
  await moveRevision(tx, tenant.id)
  return undefined
})

const publish = mutation(publishContract, (context, { id }) => step(context, id, 'Published'))
const retire = mutation(retireContract, (context, { id }) => step(context, id, 'Retired'))

async function step(context: WriteContext, id: string, status: string) {
  const { tx, tenant } = context
  const row = await load(context, id)
  requireStep('addOn', row.status, status)
  await writeRecords(tx, 'add_ons', [{ ...row, ...rowHead(row.id, row, stampOf(context)), status }])
  await moveRevision(tx, tenant.id)
  return answerAddOn(tx, tenant.id, row.id)
}

export const addOns = { list, get, create, update, replace, delete: remove, publish, retire }
