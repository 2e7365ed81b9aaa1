import { expect, test } from 'vitest'
import { isAsking } from '../../cli/server-connection/asking.ts'
import { operationsOf } from '../../server/kit/rest/operation.ts'
import { appRouter } from '../../server/router.ts'

const contracts = operationsOf(appRouter).map(({ contract }) => contract)
const at = (path: string) => new URL(`https://licet.example/t/acme${path.replaceAll(/\{\w+\}/g, '018f-x')}`)

test.each(contracts)(
  'the command line knows whether $method $path changes something',
  ({ method, path, ...contract }) => {
    const isRead = method === 'GET' || contract.changesNothing === true
    expect(isAsking(method, at(path))).toBe(isRead)
    expect(isAsking(method === 'GET' ? 'GET' : 'POST', at(`/trpc/${contract.name}`))).toBe(isRead)
  },
)

test('asking for a token changes nothing that anybody would look for', () => {
  expect(isAsking('POST', at('/auth/connect/token'))).toBe(true)
})
