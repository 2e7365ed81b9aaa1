import { canonicalItem, changesBetween } from '../../../catalog-schema/canonical.ts'
import { keyOf, keyText } from '../../../catalog-schema/keys.ts'
import type { Suite } from '../../../catalog-schema/suite.ts'
import type { Tx } from '../../database/database.ts'
import type { WriteContext } from '../../kit/context.ts'
import type { InputOf } from '../../kit/contract.ts'
import { newId } from '../../kit/ids.ts'
import { requireRevision } from '../../kit/if-match.ts'
import { Problem } from '../../kit/problem.ts'
import { mutation, query } from '../../kit/procedure.ts'
import { applyBody, readBody } from '../../kit/records/body.ts'
import { refuseInUse } from '../../kit/records/in-use.ts'
import { answerPage } from '../../kit/records/paging.ts'
import { stampOf } from '../../kit/records/stamp.ts'
import { getRecord, softDelete, writeRecords } from '../../kit/records/store.ts'
import { refuseErrors } from '../records/judging.ts'
import { type CatalogNames, loadProductNames } from '../records/names.ts'
import { lockCatalog, moveRevision } from '../records/revision.ts'
import type { CatalogTables } from '../tables.ts'
import { suiteBodyFields, suiteContracts } from './contract.ts'
import { type StoredMember, toItem, toRow } from './items.ts'
import { nameMembers } from './members.ts'
import { findSuiteByCode, suiteSource } from './store.ts'
import { suiteStanding } from './surroundings.ts'
import { listSuiteUsers, listUsersOfLeavers } from './users.ts'
import { answerSuite, toWire } from './wire.ts'

type SuiteRow = CatalogTables['suites']
const memberIds = (row: SuiteRow) => (JSON.parse(row.members) as StoredMember[]).map(({ productId }) => productId)

type Edit = InputOf<typeof suiteContracts.update>

async function edit(context: WriteContext, input: Edit) {
  const { tx, tenant } = context
  await lockCatalog(tx, tenant.id)
  const row = await getRecord(tx, 'suites', tenant.id, input.id, 'suite')
  requireRevision(context, row.revision_number)
  const { id: _id, ...body } = input
  const names = await loadProductNames(tx, tenant.id, [...memberIds(row), ...givenIds(body.members)])
  const before = toItem(row, names)
  const after = applyBody('suite', suiteBodyFields, before, withMembers(body, names)) as unknown as Suite
  if (changesBetween('suite', before, after).length === 0) return answerSuite(tx, tenant.id, row.id)
  refuseOwnSuite(row)
  await requireFreeCode(tx, tenant.id, after.code, row.id)
  const written = toRow(after, row.id, names, stampOf(context), row)
  await refuseMembersInUse(tx, row, written)
  await writeRecords(tx, 'suites', [written])
  await moveRevision(tx, tenant.id)
  return answerSuite(tx, tenant.id, row.id)
}

const givenIds = (members: Edit['members']) => members?.map(({ productId }) => productId) ?? []

/** What the body says, members by name; throws for products that cannot be members. */
function withMembers(body: Omit<Edit, 'id'>, names: CatalogNames) {
  const given = readBody(suiteBodyFields, body)
  if (!body.members) return given
  const { members, errors } = nameMembers(given.members as NonNullable<Edit['members']>, names)
  refuseErrors(errors)
  return { ...given, members }
}

/** A product's own suite comes, changes and goes with its product. */
function refuseOwnSuite(row: SuiteRow) {
  if (row.own_product_id === null) return
  throw new Problem('catalog.in_use', `This is the own suite of the product ${row.code}, and changes with it alone.`)
}

/** A code belongs to one suite, products' own included. */
async function requireFreeCode(tx: Tx, tenantId: string, code: string, id: string) {
  const holder = await findSuiteByCode(tx, tenantId, code)
  if (!holder || holder.id === id) return
  const whose = holder.own_product_id === null ? 'another suite' : "a product's own suite"
  throw new Problem('catalog.duplicate_key', `The code "${code}" is that of ${whose}.`)
}

/** A product leaves a suite only when none of the suite's plan sets and add-ons speaks of it. */
async function refuseMembersInUse(tx: Tx, before: SuiteRow, after: SuiteRow) {
  const suite = suiteStanding(after)
  const leaving = suiteStanding(before).memberIds.filter((id) => !suite.memberIds.includes(id))
  if (leaving.length === 0) return
  refuseInUse('A product that would leave the suite', await listUsersOfLeavers(tx, before.tenant_id, suite, leaving))
}

export const suites = {
  list: query(suiteContracts.list, (context, input) => answerPage(context, input, suiteSource, toWire)),

  create: mutation(suiteContracts.create, async (context, body) => {
    const { tx, tenant } = context
    await lockCatalog(tx, tenant.id)
    const names = await loadProductNames(tx, tenant.id, givenIds(body.members))
    const item = canonicalItem('suite', withMembers(body, names)) as unknown as Suite
    const id = newId()
    await requireFreeCode(tx, tenant.id, item.code, id)
    await writeRecords(tx, 'suites', [toRow(item, id, names, stampOf(context))])
    await moveRevision(tx, tenant.id)
    return answerSuite(tx, tenant.id, id)
  }),

  get: query(suiteContracts.get, ({ read, tenant }, { id }) => answerSuite(read, tenant.id, id)),

  update: mutation(suiteContracts.update, edit),
  replace: mutation(suiteContracts.replace, edit),

  delete: mutation(suiteContracts.delete, async (context, { id }) => {
    const { tx, tenant } = context
    await lockCatalog(tx, tenant.id)
    const row = await getRecord(tx, 'suites', tenant.id, id, 'suite')
    refuseOwnSuite(row)
    requireRevision(context, row.revision_number)
    refuseInUse(keyOf('suite', row, keyText), await listSuiteUsers(tx, tenant.id, suiteStanding(row)))
    await softDelete(tx, 'suites', stampOf(context), [row.id])
    await moveRevision(tx, tenant.id)
    return undefined
  }),
}
