import { readFileSync } from 'node:fs'
import { Licence, Refused } from '../shipped-application/licence.ts'
import { type Decision, Meter } from './meter.ts'

/**
 * A stand-in for your application, a piece of work at a time: `render JOB MINUTES`, `stream JOB MOST MINUTES`, `export COUNT`,
 * `upload`. BASE_URL, KEYS (a file: the vendor's JWKS), FINGERPRINT, LICENCE and LOG (files) say the rest; the code is asked
 * for on stdin. Exits with 2 when it may not, and 3 when nobody answers.
 */
const {
  BASE_URL = '',
  KEYS = 'keys.json',
  FINGERPRINT = '',
  LICENCE = 'licence.jwt',
  LOG = 'usage.jsonl',
} = process.env
const [deed, ...given] = process.argv.slice(2)
const licence = new Licence({
  baseUrl: BASE_URL,
  keys: JSON.parse(readFileSync(KEYS, 'utf8')).keys,
  fingerprint: FINGERPRINT,
  file: LICENCE,
})
const meter = new Meter({ baseUrl: BASE_URL, licence: LICENCE, log: LOG })

/** Costly work: asked for first, by a key that is the job's own. */
async function render(job: string, minutes: number): Promise<void> {
  tell(await meter.consume('render-minutes', minutes, job), `rendered ${job}`)
}

/** Work that ends when it ends: the most it may take is held, what it took is settled. */
async function stream(job: string, most: number, minutes: number): Promise<void> {
  const hold = await meter.hold('render-minutes', most, job)
  if (hold.holdId === null) tell(hold, '')
  else tell(await meter.settle(hold.holdId, minutes), `streamed ${job}`)
}

/** Work that nobody has to be asked for: it is done, and noted. */
function exportSteps(count: number): void {
  for (let done = 0; done < count; done++) meter.note('step-exports', 1)
  console.log(`exported ${count}; ${meter.waiting} noted`)
}

async function upload(): Promise<void> {
  const sent = meter.waiting
  for (const { transactionId, message } of await meter.upload()) console.log(`not taken: ${transactionId}: ${message}`)
  console.log(`uploaded ${sent}; ${meter.waiting} noted`)
}

function tell({ allowed, reason, usage, remaining, replayed }: Decision, done: string): void {
  if (!allowed) process.exitCode = 2
  const how = replayed ? ', decided before' : ''
  console.log(`${allowed ? done : `refused: ${reason}`} (used ${usage}, ${remaining} remain${how})`)
}

try {
  if (licence.state() === 'stopped') await licence.activate(readFileSync(0, 'utf8').trim())
  await licence.keepUp()
  if (deed === 'render') await render(given[0]!, Number(given[1]))
  else if (deed === 'stream') await stream(given[0]!, Number(given[1]), Number(given[2]))
  else if (deed === 'export') exportSteps(Number(given[0]))
  else await upload()
} catch (error) {
  const isAnswer = error instanceof Refused && !error.isTemporary
  console.log(isAnswer ? `refused: ${error.codeName}` : `nobody answers; ${meter.waiting} noted`)
  process.exitCode = isAnswer ? 2 : 3
}
