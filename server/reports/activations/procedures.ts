import { seatsOfChanged } from '../../entitlements/seats/held.ts'
import { toInstant } from '../../kit/instants.ts'
import { query } from '../../kit/procedure.ts'
import { readWindow, windowToWire } from '../window.ts'
import { activationsContract } from './contract.ts'
import { intervalLines, lapsesIn } from './intervals.ts'
import { countActivations, countSeatEnds } from './store.ts'

export const activations = query(activationsContract, async ({ read, tenant, now }, { interval = 'Day', ...asked }) => {
  const window = readWindow(asked)
  const until = Math.min(window.to ?? Number.POSITIVE_INFINITY, now + 1)
  const counted = { from: window.from, now: until - 1 }
  const changed = await seatsOfChanged(read, tenant.id)
  const ends = Map.groupBy(await countSeatEnds(read, tenant.id, counted, changed), ({ how }) => how)
  const moves = {
    activations: await countActivations(read, tenant.id, counted),
    released: ends.get('released') ?? [],
    revoked: ends.get('revoked') ?? [],
    lapsed: [...(ends.get('lapsed') ?? []), ...lapsesIn(counted, changed.ends)],
  }
  const lines = intervalLines(moves, interval, window.from, until)
  return {
    ...windowToWire(window),
    interval,
    intervals: lines.map((line) => ({ ...line, start: toInstant(line.start) })),
  }
})
