import { expect, test } from 'vitest'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'

forEachStore((store) => {
  const server = serveTests(store)

  test('what Prometheus reads is named as it wants: a total is a counter, and everything has help and a type', async () => {
    await server.api('GET', '/api/v1/scopes', { token: null })
    const { status, headers, text } = await server.api('GET', '/metrics', { tenant: null })
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
    const types = new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name!, type!]))
    const helps = new Set([...text.matchAll(/^# HELP (\S+) \S/gm)].map(([, name]) => name!))
    expect(types.get('licet_http_request_duration_seconds')).toBe('histogram')
    expect([...types.keys()].filter((name) => !helps.has(name))).toEqual([])
    expect([...types].filter(([name, type]) => name.endsWith('_total') !== (type === 'counter'))).toEqual([])
    const sampled = [...text.matchAll(/^([a-z]\w*)/gm)].map(([, name]) => name!.replace(/_(bucket|sum|count)$/, ''))
    expect(sampled.filter((name) => !types.has(name))).toEqual([])
  })
})
