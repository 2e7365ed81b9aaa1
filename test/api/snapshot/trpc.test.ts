import { beforeAll, describe, expect, test } from 'vitest'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { bodyOf, catalogOf, comparable, portable, snapshotOf, wholeCatalog } from './scene.ts'

forEachStore((store) => {
  describe('the catalog over tRPC answers like REST', () => {
    const server = serveTests(store)
    const catalog = catalogOf(server)
    beforeAll(async () => {
      bodyOf(await catalog.import(wholeCatalog()))
    })

    const call = (name: string, input: unknown, token?: string) =>
      server.api('POST', `/trpc/admin.catalog.${name}`, { body: input, ...(token ? { token } : {}) })
    const ask = (name: string, input: unknown, token?: string) =>
      server.api(
        'GET',
        `/trpc/admin.catalog.${name}?input=${encodeURIComponent(JSON.stringify(input))}`,
        token ? { token } : {},
      )
    const dataOf = (answer: Awaited<ReturnType<typeof call>>) => {
      if (answer.status !== 200) throw new Error(answer.text)
      return answer.body.result.data
    }

    test('compare, with and without what stays', async () => {
      const snapshot = snapshotOf({ ...wholeCatalog(), suites: [{ code: 'NEW' }] })
      const rest = bodyOf(await catalog.compare(snapshot, { query: '?include=unchanged' }))
      expect(comparable(dataOf(await call('compare', { snapshot, include: 'unchanged' })))).toEqual(comparable(rest))
      expect(dataOf(await call('compare', { snapshot })).items).toHaveLength(1)
      expect(comparable(dataOf(await call('compare', { ...snapshot, include: 'unchanged' })))).toEqual(comparable(rest))
    })

    test('export, whole and in part', async () => {
      const rest = await catalog.export('?scope=plans')
      expect(portable(JSON.stringify(dataOf(await ask('export', { scope: 'plans' }))))).toBe(portable(rest.text))
      const whole = dataOf(await server.api('GET', '/trpc/admin.catalog.export'))
      expect(portable(JSON.stringify(whole))).toBe(portable((await catalog.export()).text))
    })

    test('import, apply and the history', async () => {
      const imported = dataOf(
        await call('import', { snapshot: snapshotOf({ suites: [{ code: 'A' }] }), source: 'trpc' }),
      )
      expect(imported.summary.create).toBe(1)
      const applied = dataOf(
        await call('apply', { snapshot: snapshotOf({ suites: [{ code: 'B' }] }), expected: { 'suite:B': null } }),
      )
      expect(applied.summary.create).toBe(1)
      expect(dataOf(await ask('imports.get', { importId: imported.importId }))).toMatchObject({ source: 'trpc' })
      expect(dataOf(await ask('imports.before', { importId: applied.importId })).scope).toEqual([])
    })

    test('in a batch, whatever stands beside them', async () => {
      const input = {
        0: { snapshot: snapshotOf({ suites: [{ code: 'IN-BATCH' }] }) },
        1: { snapshot: { formatVersion: '9' } },
      }
      const answer = await server.api('POST', '/trpc/admin.catalog.import,admin.catalog.compare?batch=1', {
        body: input,
      })
      expect(answer.status).toBe(207)
      expect(answer.body[0].result.data.summary.create).toBe(1)
      expect(answer.body[1].error).toMatchObject({ status: 400, codeName: 'catalog.format_version' })
      const query = encodeURIComponent(JSON.stringify({ 0: { scope: 'suites' }, 1: { pageSize: 1 } }))
      const read = await server.api('GET', `/trpc/admin.catalog.export,admin.tags.list?batch=1&input=${query}`)
      expect(read.status).toBe(200)
      expect(portable(JSON.stringify(read.body[0].result.data))).toBe(
        portable((await catalog.export('?scope=suites')).text),
      )
      expect(read.body[1].result.data.items).toHaveLength(1)
    })

    test('alone in a batch', async () => {
      const body = { 0: { snapshot: wholeCatalog() } }
      const answer = await server.api('POST', '/trpc/admin.catalog.compare?batch=1', { body })
      expect(answer.body).toHaveLength(1)
      expect(answer.body[0].result.data.summary.errors).toBe(0)
    })

    test.each([
      ['another format', 'compare', { snapshot: { formatVersion: '9' } }, 400, 'catalog.format_version'],
      [
        'the wrong shape',
        'compare',
        { snapshot: { formatVersion: '1.0', tags: [{}] } },
        400,
        'license.validation_error',
      ],
      ['an unknown parameter', 'compare', { snapshot: wholeCatalog(), includes: 'x' }, 400, 'license.validation_error'],
      ['an unknown choice', 'compare', { snapshot: wholeCatalog(), include: 'all' }, 400, 'license.validation_error'],
      ['no input', 'compare', undefined, 400, 'license.validation_error'],
      ['a list', 'compare', [1], 400, 'license.validation_error'],
      [
        'what cannot be imported',
        'import',
        { snapshot: snapshotOf({ plans: [{ suiteCode: 'NO', name: 'x' }] }) },
        400,
        'catalog.unresolved_reference',
      ],
      [
        'an old revision',
        'import',
        { snapshot: wholeCatalog(), expectedRevision: '0' },
        409,
        'catalog.environment_changed',
      ],
      [
        'a moved key',
        'apply',
        { snapshot: snapshotOf({ suites: [{ code: 'C' }] }), expected: {} },
        409,
        'catalog.environment_changed',
      ],
    ])('%s is refused the same, as the error of the call', async (_what, name, input, status, codeName) => {
      const answer = await call(name, input)
      expect(answer.status).toBe(status)
      expect(answer.body.error).toMatchObject({ status, codeName, code: expect.any(Number), title: expect.any(String) })
      expect(answer.text).not.toMatch(/stack|node_modules/)
      const batched = await server.api('POST', `/trpc/admin.catalog.${name}?batch=1`, {
        body: input === undefined ? {} : { 0: input },
      })
      expect(batched.body[0].error).toMatchObject({ status, codeName })
    })

    test('a scope that is missing is told the same, alone and in a batch', async () => {
      const token = await server.tokenWith(['admin.tags:read'])
      for (const [answer, pick] of [
        [await call('compare', { snapshot: wholeCatalog() }, token), (body: { error: unknown }) => body.error],
        [await ask('export', {}, token), (body: { error: unknown }) => body.error],
        [
          await server.api('POST', '/trpc/admin.catalog.compare?batch=1', { body: { 0: { snapshot: {} } }, token }),
          (body: { error: unknown }[]) => body[0]!.error,
        ],
      ] as const) {
        expect(answer.status).toBe(403)
        expect(pick(answer.body)).toMatchObject({ status: 403, codeName: 'auth.insufficient_scope' })
      }
    })

    test('the wrong verb is 405', async () => {
      expect((await ask('compare', { snapshot: wholeCatalog() })).status).toBe(405)
      expect((await call('export', {})).status).toBe(405)
    })

    test('text that is not JSON is 400', async () => {
      for (const path of ['compare', 'compare?batch=1']) expect((await call(path, '{"snapshot":')).status).toBe(400)
      expect((await server.api('GET', '/trpc/admin.catalog.export?input=%7B')).status).toBe(400)
    })
  })
})
