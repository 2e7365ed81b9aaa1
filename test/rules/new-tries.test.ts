import { expect, test } from 'vitest'
import { recordNewTry } from '../../server/activations/anonymous-try/limiting.ts'
import { Problem } from '../../server/kit/problem.ts'

const hour = 3_600_000
const tenant = { id: 't', slug: 't', name: 'T', kind: 'Sandbox' as const }

test("an address brings so many new devices in an hour of the tenant's clock", () => {
  const bring = (now: number) => recordNewTry({ tenant, ip: '192.0.2.1', now })
  for (let times = 0; times < 1000; times++) bring(times)
  expect(() => bring(hour - 1000)).toThrow(Problem)
  expect(() => bring(hour)).not.toThrow()
})
