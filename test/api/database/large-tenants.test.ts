import { expect, onTestFinished, test } from 'vitest'
import { openBeside } from '../../bench/stored-sales.ts'
import { planOf, statementsHere } from '../../support/large-file.ts'
import { startTestServer } from '../../support/server.ts'
import { forEachStore } from '../../support/stores.ts'

const admin = '/api/v1/provision/admin'

/** What is asked of a tenant that has hundreds of thousands of records is not all gone through. */
forEachStore((store) => {
  async function start() {
    const server = await startTestServer(store)
    onTestFinished(() => server.close())
    const must = async (method: string, path: string, body?: unknown, headers = {}) => {
      const answer = await server.api(method, path, { headers, ...(body === undefined ? {} : { body }) })
      expect(answer.status, answer.text).toBeLessThan(300)
      return answer.body
    }
    return { server, must }
  }

  test.runIf(store.kind === 'sqlite')('an index leads to what is asked of entitlements', async () => {
    const { server, must } = await start()
    const product = await must('POST', `${admin}/products`, { productCode: 'CAD', name: 'CAD' })
    const products = [{ productId: product.id }]
    const { id } = await must('POST', `${admin}/entitlements`, { name: 'One', orderId: 'ORD-1', products })
    const here = statementsHere()
    const plansOf = async (asked: Promise<unknown>, table: string) => {
      here.length = 0
      await asked
      // What has become due is looked for all the while, and is nothing that was asked.
      const asks = here.filter((text) => !/ as "?due"?\b/.test(text))
      const texts = asks.filter((text) => new RegExp(`(from|into) "?${table}"?\\b`).test(text))
      expect(texts).not.toEqual([])
      return texts.filter((text) => !/^insert/.test(text)).map((text) => planOf(server.databaseUrl, text))
    }
    const list = `${admin}/entitlements`
    for (const plan of await plansOf(must('GET', `${list}?pageSize=1`), 'entitlements')) {
      expect(plan).toMatch(/ INDEX entitlements_by_creation \(tenant_id=\?\)/)
      expect(plan).not.toContain('TEMP B-TREE')
    }
    for (const [field, value] of Object.entries({
      order_id: 'orderId==ORD-1',
      external_reference: 'externalReference==x',
      license_key: 'licenseKey==x',
      customer_contact_email: 'customerContactEmail==x',
    }))
      for (const plan of await plansOf(must('GET', `${list}?filter=${value}`), 'entitlements'))
        expect(plan).toMatch(new RegExp(` INDEX entitlements_by_${field} \\(tenant_id=\\? AND ${field}=\\?\\)`))
    for (const plan of await plansOf(must('PATCH', `${list}/${id}`, { products: [] }), 'entitlement_products'))
      expect(plan).toContain('INDEX entitlement_products_by_entitlement (tenant_id=? AND entitlement_id=?)')
    const usage = `/api/v1/provision/operational/entitlements/${id}/usage`
    for (const plan of await plansOf(must('GET', usage), 'entitlements')) expect(plan).toContain('(id=?)')
    await must('POST', `${list}/${id}/activate`)
    const user = await must('POST', `${admin}/users`, { email: 'one@x.example' })
    const assign = must('POST', `${list}/${id}/principals/${user.id}`)
    for (const plan of await plansOf(assign, 'entitlement_principals'))
      expect(plan).not.toMatch(/ users .*\(tenant_id=\?\)/)
  })

  test.runIf(store.kind === 'sqlite')(
    'answers that are kept for ever are passed over by who forgets the others',
    async () => {
      const { server, must } = await start()
      const here = statementsHere()
      await must('POST', `${admin}/tags`, { scope: 'Product', name: 'One' }, { 'idempotency-key': 'one' })
      const [forgetting] = here.filter((text) => /^select .* from "idempotency_records" .*"recorded_at" <= /.test(text))
      expect(planOf(server.databaseUrl, forgetting!)).toContain(
        'INDEX idempotency_records_to_forget (tenant_id=? AND recorded_at<?)',
      )
    },
  )

  test.runIf(store.kind === 'sqlite')('only a page that is full has its rows counted', async () => {
    const { must } = await start()
    const paths = ['tags', 'audit', 'sessions/activations']
    for (const name of ['One', 'Two', 'Three']) await must('POST', `${admin}/tags`, { scope: 'Product', name })
    const here = statementsHere()
    const counts = () => here.splice(0).filter((text) => /^select count\(\*\) as "count"/.test(text)).length
    for (const path of paths) {
      await must('GET', `${admin}/${path}`)
      expect(counts()).toBe(0)
    }
    for (const [query, totalCount, length] of [
      ['pageSize=2', 3, 2],
      ['pageSize=2&pageNumber=2', 3, 1],
      ['pageSize=2&pageNumber=3', 3, 0],
      ['pageSize=3', 3, 3],
      ['pageSize=0', 3, 0],
      ['pageNumber=100000', 3, 0],
      ['filter=name==None', 0, 0],
    ] as const) {
      const page = await must('GET', `${admin}/tags?${query}`)
      expect([page.totalCount, page.items.length]).toEqual([totalCount, length])
    }
  })

  test('pages far into a list are those that a walk would come to', async () => {
    const { server, must } = await start()
    const one = await must('POST', `${admin}/customers`, { name: 'Customer 0000', email: 'one@x.example' })
    const user = await must('POST', `${admin}/users`, { email: 'one@x.example' })
    const { id: entitlementId } = await must('POST', `${admin}/entitlements`, { name: 'One' })
    const beside = await openBeside(server as never)
    const number = store.kind === 'sqlite' ? "printf('%04d', n)" : "lpad(n::text, 4, '0')"
    const counting =
      store.kind === 'sqlite'
        ? '(with recursive c (n) as (select 1 union all select n + 1 from c where n < 1400) select n from c)'
        : 'generate_series(1, 1400) as c (n)'
    const idOf = (kind: string) => `'00000000-0000-7000-${kind}-00000000' || ${number}`
    const copy = async (table: string, where: string, replaced: Record<string, string>) => {
      const [row] = await beside.ask(`select * from ${table} where ${where}`)
      const columns = Object.keys(row!)
      await beside.ask(`insert into ${table} (${columns.join(', ')})
select ${columns.map((column) => replaced[column] ?? `one.${column}`).join(', ')}
from (select * from ${table} where ${where}) as one cross join ${counting}`)
    }
    await copy('customers', `id = '${one.id}'`, { id: idOf('8000'), name: `'Customer ' || ${number}` })
    const email = `${number} || '@x.example'`
    await copy('users', `id = '${user.id}'`, { id: idOf('8001'), email, folded_email: email })
    await must('POST', `${admin}/entitlements/${entitlementId}/principals/${user.id}`)
    await copy('entitlement_principals', `user_id = '${user.id}'`, { user_id: idOf('8001') })
    await beside.close()
    for (const sortOrder of ['name', '-name', '', '-createdAt']) {
      const walked: string[] = []
      for (let pageNumber = 1; pageNumber <= 15; pageNumber++) {
        const page = await must(
          'GET',
          `${admin}/customers?sortOrder=${sortOrder}&pageSize=100&pageNumber=${pageNumber}`,
        )
        expect(page.totalCount).toBe(1401)
        walked.push(...page.items.map(({ name }: { name: string }) => name))
      }
      expect(new Set(walked).size).toBe(1401)
      if (sortOrder.endsWith('name'))
        expect(walked).toEqual(sortOrder === 'name' ? walked.toSorted() : walked.toSorted().reverse())
    }
    const assigned: string[] = []
    for (let pageNumber = 1; pageNumber <= 15; pageNumber++) {
      const path = `${admin}/entitlements/${entitlementId}/principals?pageSize=100&pageNumber=${pageNumber}`
      assigned.push(...(await must('GET', path)).items.map(({ userId }: { userId: string }) => userId))
    }
    expect(new Set(assigned).size).toBe(1401)
    expect(assigned).toEqual(assigned.toSorted())
  })

  test('a refusal does not count very many entitlements to their end', async () => {
    const { server, must } = await start()
    const product = await must('POST', `${admin}/products`, { productCode: 'CAD', name: 'CAD' })
    const one = await must('POST', `${admin}/entitlements`, {
      ...{ name: 'One', status: 'Active', products: [{ productId: product.id }] },
    })
    const beside = await openBeside(server as never)
    const idOf =
      store.kind === 'sqlite'
        ? "printf('ffffffff-0000-7000-8000-%012d', n)"
        : "'ffffffff-0000-7000-8000-' || lpad(n::text, 12, '0')"
    const counting =
      store.kind === 'sqlite'
        ? '(with recursive c (n) as (select 1 union all select n + 1 from c where n < 1000) select n from c)'
        : 'generate_series(1, 1000) as c (n)'
    for (const [table, where, column] of [
      ['entitlements', `id = '${one.id}'`, 'id'],
      ['entitlement_products', `entitlement_id = '${one.id}'`, 'entitlement_id'],
    ] as const) {
      const [row] = await beside.ask(`select * from ${table} where ${where}`)
      const columns = Object.keys(row!)
      await beside.ask(`insert into ${table} (${columns.join(', ')})
select ${columns.map((name) => (name === column ? idOf : `one.${name}`)).join(', ')}
from (select * from ${table} where ${where}) as one cross join ${counting}`)
    }
    await beside.close()
    const { status, body } = await server.api('DELETE', `${admin}/products/${product.id}`)
    expect(status).toBe(409)
    expect(body.detail).toContain('entitlement:One and more than 999 other entitlements')
  })

  test('a tag that very many records carry is merged and deleted', async () => {
    const { server, must } = await start()
    const tags = []
    for (const name of ['Gold', 'Silver'])
      tags.push(await must('POST', `${admin}/tags`, { scope: 'Entitlement', name }))
    const [kept, merged] = tags
    const { id } = await must('POST', `${admin}/entitlements`, { name: 'One', tags: ['Gold', 'Silver'] })
    const beside = await openBeside(server as never)
    const idOf =
      store.kind === 'sqlite'
        ? "printf('ffffffff-0000-7000-8000-%012d', n)"
        : "'ffffffff-0000-7000-8000-' || lpad(n::text, 12, '0')"
    const counting =
      store.kind === 'sqlite'
        ? '(with recursive c (n) as (select 1 union all select n + 1 from c where n < 2500) select n from c)'
        : 'generate_series(1, 2500) as c (n)'
    await beside.ask(`insert into tag_assignments (tenant_id, record_id, tag_id)
select '${server.tenantIds.acme}', ${idOf}, '${merged.id}' from ${counting}`)
    await beside.close()
    const answer = await must('POST', `${admin}/tags/${merged.id}/merge`, { intoTagId: kept.id })
    expect(answer.usageCount).toBe(2501)
    expect((await must('GET', `${admin}/entitlements/${id}`)).tags).toEqual(['Gold'])
    await must('DELETE', `${admin}/tags/${kept.id}`)
    const again = await must('POST', `${admin}/tags`, { scope: 'Entitlement', name: 'Gold' })
    expect(again.usageCount).toBe(0)
    expect((await must('GET', `${admin}/entitlements/${id}`)).tags).toEqual([])
  })
})
