/** Measures licet against its floors, both in one run: `npm run bench`, or `npm run bench -- snapshots requests` for some,
 * and with --quick to see that they work. */
import { benchActivations } from './activations.ts'
import { benchInterference } from './interference.ts'
import { type Bench, lineOf, machineLine } from './measuring.ts'
import { benchMemory } from './memory.ts'
import { benchMetering, benchMeteringSideBySide, benchStoredDecisions } from './metering.ts'
import { benchReports } from './reports.ts'
import { benchRequests } from './requests.ts'
import { stopStores } from './served.ts'
import { benchSideBySide } from './side-by-side.ts'
import { benchSnapshots } from './snapshots.ts'
import { benchStarting } from './starting.ts'
import { benchValidating } from './validating.ts'
import { benchWebhooks } from './webhooks.ts'

const benches: Record<string, Bench> = {
  starting: benchStarting,
  validating: benchValidating,
  snapshots: benchSnapshots,
  requests: benchRequests,
  activations: benchActivations,
  'side-by-side': benchSideBySide,
  metering: benchMetering,
  'metering-side-by-side': benchMeteringSideBySide,
  'stored-decisions': benchStoredDecisions,
  webhooks: benchWebhooks,
  reports: benchReports,
  interference: benchInterference,
  memory: benchMemory,
}

const wanted = process.argv.slice(2).filter((word) => word !== '--quick')
const unknown = wanted.filter((name) => !(name in benches))
if (unknown.length > 0) {
  console.error(`There is no bench ${unknown.join(', ')}: ${Object.keys(benches).join(', ')}.`)
  process.exit(2)
}

console.log(machineLine())
console.log('what'.padEnd(52), 'licet'.padStart(16), 'floor'.padStart(16), 'ratio'.padStart(9), '  target')
const begun = performance.now()
for (const [name, bench] of Object.entries(benches)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  try {
    for (const row of await bench()) console.log(lineOf(row))
  } catch (error) {
    console.error(`${name}: ${error instanceof Error ? error.stack : error}`)
    process.exitCode = 1
  }
}
await stopStores()
console.log(`${Math.round((performance.now() - begun) / 1000)} s; targets are told, not enforced`)
