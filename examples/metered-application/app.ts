import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { isOutage, Licence, Refused } from '../shipped-application/licence.ts'
import { type Decision, Meter } from './meter.ts'

/**
 * A stand-in for your application, a piece of work at a time: `render JOB MINUTES`, `stream JOB MOST MINUTES`, `export COUNT`,
 * `upload`. BASE_URL says where the server is; KEYS (a file: the vendor's JWKS), FINGERPRINT, LICENCE and LOG (files) may say
 * the rest; the code is asked for on stdin. Exits with 1 when some of an upload is not taken or something else fails, such as the
 * disk, 2 when it may not, 3 when nobody answers, and 64 when it is asked for what it cannot do.
 */
const {
  BASE_URL = '',
  KEYS = 'keys.json',
  FINGERPRINT = createHash('sha256').update(hostname()).digest('hex'),
  LICENCE = 'licence.jwt',
  LOG = 'usage.jsonl',
} = process.env
const [deed = '', ...given] = process.argv.slice(2)
refuseNonsense()
const licence = new Licence({
  baseUrl: BASE_URL,
  keys: JSON.parse(readFileSync(KEYS, 'utf8')).keys,
  fingerprint: FINGERPRINT,
  file: LICENCE,
})
const meter = new Meter({ baseUrl: BASE_URL, licence: LICENCE, log: LOG })

/** Ends here, with nothing done and nothing noted, unless the deed is given what it takes. */
function refuseNonsense(): void {
  const minutes = (text = '') => Number(text) > 0
  const count = (text = '') => minutes(text) && Number.isSafeInteger(Number(text))
  const job = (text = '') => text !== ''
  const deeds = new Map([
    ['render', [job, minutes]],
    ['stream', [job, minutes, minutes]],
    ['export', [count]],
    ['upload', []],
  ])
  const takes = deeds.get(deed)
  if (takes && given.length === takes.length && takes.every((isRight, at) => isRight(given[at]))) return
  console.error('usage: node app.ts render JOB MINUTES | stream JOB MOST MINUTES | export COUNT | upload')
  process.exit(64)
}

/** Costly work: asked for first, by a key that is the job's own. */
async function render(job: string, minutes: number): Promise<void> {
  tell(await meter.consume('render-minutes', minutes, job), `rendered ${job}`)
}

/** Work that ends when it ends: the most it may take is held, what it took is settled. */
async function stream(job: string, most: number, minutes: number): Promise<void> {
  const hold = await meter.hold('render-minutes', most, job)
  if (hold.holdId === null) return tell(hold, '')
  const settled = await meter.settle(hold.holdId, 'render-minutes', minutes)
  if (settled) tell(settled, `streamed ${job}`)
  else console.log(`streamed ${job}, whose hold has lapsed; ${meter.waiting} noted`)
}

/** Work that nobody has to be asked for: it is done, and noted. */
function exportSteps(count: number): void {
  for (let done = 0; done < count; done++) meter.note('step-exports', 1)
  console.log(`exported ${count}; ${meter.waiting} noted`)
}

async function upload(): Promise<void> {
  const sent = meter.waiting
  const rejected = await meter.upload()
  for (const { transactionId, message } of rejected) console.log(`not taken: ${transactionId}: ${message}`)
  if (rejected.length > 0) process.exitCode = 1
  console.log(`uploaded ${sent - rejected.length}; ${meter.waiting} noted`)
}

function tell({ allowed, reason, usage, remaining, replayed }: Decision, done: string): void {
  if (!allowed) process.exitCode = 2
  const how = replayed ? ', decided before' : ''
  console.log(`${allowed ? done : `refused: ${reason}`} (used ${usage}, ${remaining} remain${how})`)
}

function end(exitCode: number, why: string): void {
  console.log(why)
  process.exitCode = exitCode
}

try {
  if ((await licence.keepUp()) === 'stopped') await licence.activate(readFileSync(0, 'utf8').trim())
  if (deed === 'render') await render(given[0]!, Number(given[1]))
  else if (deed === 'stream') await stream(given[0]!, Number(given[1]), Number(given[2]))
  else if (deed === 'export') exportSteps(Number(given[0]))
  else await upload()
} catch (error) {
  if (isOutage(error)) end(3, `nobody answers; ${meter.waiting} noted`)
  else if (error instanceof Refused) {
    end(2, `refused: ${error.codeName}: ${error.message}`)
    // A single error is told by the message.
    if (error.errors.length > 1)
      for (const { pointer = '', message } of error.errors) console.log(`  ${pointer}: ${message}`)
  } else end(1, `failed: ${error instanceof Error ? error.message : error}; ${meter.waiting} noted`)
}
