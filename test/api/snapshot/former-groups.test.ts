import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openDatabase } from '../../../server/database/open.ts'
import { compressJson, parseCompressed } from '../../../server/snapshot/compressed-json.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { bodyOf, catalogOf, snapshotOf } from './scene.ts'

const path = '/activationPolicy/requireOrganizationGroupMember'

forEachStore((store) => {
  const server = serveTests(store)
  const catalog = catalogOf(server)

  /** What was kept of imports, with these groups by their ids, as versions kept it whose catalogs told these. */
  async function keepAsFormerly(groups: readonly { id: string; name: string }[]) {
    const database = openDatabase(server.databaseUrl)
    const byId = (kept: Uint8Array) =>
      groups.reduce(
        (text, { id, name }) => text.replaceAll(`"${name}"`, `"${id}"`),
        JSON.stringify(parseCompressed(kept)),
      )
    const formerly = async (kept: Uint8Array) => compressJson(JSON.parse(byId(kept)))
    const { rows: baselines } = await sql<{ tenant_id: string; items: Uint8Array }>`
select tenant_id, items from catalog_baselines`.execute(database.schema)
    for (const { tenant_id, items } of baselines)
      await sql`update catalog_baselines set items = ${await formerly(items)} where tenant_id = ${tenant_id}`.execute(
        database.schema,
      )
    const { rows: imports } = await sql<{ id: string; report: Uint8Array; before_snapshot: Uint8Array }>`
select id, report, before_snapshot from catalog_imports`.execute(database.schema)
    for (const { id, report, before_snapshot } of imports)
      await sql`update catalog_imports set report = ${await formerly(report)},
before_snapshot = ${await formerly(before_snapshot)} where id = ${id}`.execute(database.schema)
    await database.close()
  }

  test('what an earlier version kept of imports names groups as they are called now', async () => {
    const makeGroup = async (name: string) => bodyOf(await catalog.admin('POST', 'organization-groups', { name }))
    const groups = [await makeGroup('Partners'), await makeGroup('Friends')]
    // In capitals, in which it was kept where it was given so.
    const told = [groups[0], { name: 'Friends', id: groups[1].id.toUpperCase() }]
    const askingFor = (group: string) => ({
      name: 'For a group',
      activationPolicy: { requireOrganizationGroupMember: group },
    })
    bodyOf(await catalog.import(snapshotOf({ entitlementOffers: [askingFor('Partners')] })))
    const { importId } = bodyOf(await catalog.import(snapshotOf({ entitlementOffers: [askingFor('Friends')] })))
    const kept = async () => [
      bodyOf(await catalog.imports(`/${importId}`)),
      bodyOf(await catalog.imports(`/${importId}/before`)),
    ]
    const before = await kept()
    await keepAsFormerly(told)
    expect(await kept()).toEqual(before)
    expect(before[0].items).toMatchObject([{ changes: [{ path, before: 'Partners', after: 'Friends' }] }])

    bodyOf(await catalog.admin('POST', 'tags', { scope: 'Product', name: 'Edited since' }))
    const drift = bodyOf(await catalog.admin('GET', 'catalog/drift'))
    expect(drift.items).toMatchObject([{ key: 'tag:Product/Edited since', action: 'create' }])

    expect(bodyOf(await catalog.import(before[1])).summary).toMatchObject({ update: 1, errors: 0 })
    expect(bodyOf(await catalog.export()).entitlementOffers).toMatchObject([askingFor('Partners')])
  })

  test('a group that is no more stays as it was kept', async () => {
    const { items } = bodyOf(await catalog.imports())
    const answers = async () => bodyOf(await catalog.imports(`/${items[1].importId}`)).items
    const [friends] = bodyOf(await catalog.admin('GET', 'organization-groups?filter=name==Friends')).items
    expect((await catalog.admin('DELETE', `organization-groups/${friends.id}`)).status).toBe(204)
    expect(await answers()).toMatchObject([
      { changes: [{ path, before: 'Partners', after: friends.id.toUpperCase() }] },
    ])
  })
})
