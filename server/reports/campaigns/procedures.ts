import { toNullableInstant } from '../../kit/instants.ts'
import { query } from '../../kit/procedure.ts'
import { readWindow, windowToWire } from '../window.ts'
import { campaignsContract } from './contract.ts'
import { countIssuances } from './store.ts'

export const campaigns = query(campaignsContract, async ({ read, tenant }, asked) => {
  const window = readWindow(asked)
  const counts = await countIssuances(read, tenant.id, window)
  return {
    ...windowToWire(window),
    campaigns: counts.map(({ startsAt, endsAt, firstIssuedAt, lastIssuedAt, ...line }) => ({
      ...line,
      startsAt: toNullableInstant(startsAt),
      endsAt: toNullableInstant(endsAt),
      firstIssuedAt: toNullableInstant(firstIssuedAt),
      lastIssuedAt: toNullableInstant(lastIssuedAt),
    })),
  }
})
