import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { asProblem } from '../ending.ts'
import type { ChosenEnvironment } from '../environments/choosing.ts'
import { inputName } from '../input-files.ts'
import { isObject, strictJsonIn } from '../json-objects.ts'
import { offlineRequestIn, readLicenseText } from '../licenses/license-file.ts'
import { readOfflineResponse } from '../licenses/offline-response.ts'
import { refuseFile, writeLicense } from '../licenses/writing.ts'
import { Problem } from '../problems.ts'
import { duringPhase, tellProgress } from '../progress.ts'
import { type ServerClient, serverClient } from '../server-client.ts'
import { lookFirst } from '../server-connection/asking.ts'
import { findText } from '../whole-files.ts'

/** The scope that issuing needs, and nothing more. */
const scope = 'operational.entitlements:create'
const path = '/api/v1/provision/operational/activations/offline/issue'

const requestEnding = /\.json$/i
const responseEnding = '.response.json'

/** A request file and where its response goes. */
export interface IssuePlan {
  /** A path, or `-` for stdin. */
  request: string
  /** Undefined for stdout. */
  response: string | undefined
}

/** An issued licence, or why there is none. */
export type Issued = IssuePlan & ({ envelope: Record<string, unknown> } | { refused: Problem })

/**
 * Where the responses of files, directories (their requests, not their responses) or stdin (`-`) go: one request to `out`,
 * to a file in it when that is a directory, or to stdout; several each to a file in `out`. Raises cli.usage, cli.input.
 */
export async function planIssue(paths: readonly string[], out: string | undefined): Promise<IssuePlan[]> {
  const requests = (await Promise.all(paths.map(requestsAt))).flat()
  const isOne = requests.length === 1 && requests[0] === paths[0]
  if (isOne && (out === undefined || !(await isDirectory(out)))) return [{ request: requests[0]!, response: out }]
  if (requests.includes('-')) throw new Problem('cli.usage', 'A request from stdin goes to stdout or to a file.')
  if (out === undefined) throw new Problem('cli.usage', 'Several responses need a directory.', { hint: '--out DIR' })
  const plans = requests.map((request) => ({
    request,
    response: join(out, basename(request).replace(requestEnding, '') + responseEnding),
  }))
  const twice = plans.find(({ response }, at) => plans.findIndex((other) => other.response === response) !== at)
  if (twice) throw new Problem('cli.usage', `Two requests would be answered in ${twice.response}.`)
  return plans
}

async function requestsAt(path: string): Promise<string[]> {
  if (path === '-' || !(await isDirectory(path))) return [path]
  const names = (await readdir(path)).filter((name) => requestEnding.test(name) && !name.endsWith(responseEnding))
  if (names.length === 0) throw new Problem('cli.input', `${path} holds no requests (*.json).`)
  return names.sort().map((name) => join(path, name))
}

const isDirectory = (path: string) =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )

/**
 * Issues the licence of each request, one after another, and writes those that go to files. What is wrong with one request
 * does not stop the others; what would stop them all (no server, no right) is raised. Repeating it is safe: the same
 * request has the same licence.
 */
export async function issueOffline(
  environment: ChosenEnvironment,
  plans: readonly IssuePlan[],
  { force }: { force: boolean },
): Promise<Issued[]> {
  const server = serverClient(environment, [scope])
  const label = plans.length === 1 ? 'Issuing an offline licence' : `Issuing ${plans.length} offline licences`
  return duringPhase(label, async () => {
    const results: Issued[] = []
    for (const [at, plan] of plans.entries()) {
      tellProgress(at, plans.length)
      try {
        const envelope = await issueOne(server, plan, force)
        if (plan.response !== undefined) await writeResponse(plan.response, envelope, force)
        results.push({ ...plan, envelope })
      } catch (error) {
        const refused = asProblem(error)
        if (!refused || !isOfThisRequest(refused)) throw error
        results.push({ ...plan, refused })
      }
    }
    return results
  })
}

/** Writes a response; one that is there already and says something else is only replaced with `force`. Raises cli.output. */
async function writeResponse(path: string, envelope: Record<string, unknown>, force: boolean) {
  const text = responseText(envelope)
  if (!force && ((await findText(path)) ?? text) !== text) await refuseFile(path, false)
  await writeLicense(path, text)
}

/** A response as the text of a file. */
export const responseText = (envelope: Record<string, unknown>) => `${JSON.stringify(envelope, null, 2)}\n`

async function issueOne(server: ServerClient, { request, response: out }: IssuePlan, force: boolean) {
  const text = await readLicenseText(request)
  const { meta } = offlineRequestIn(text, inputName(request))
  if (!(await answers(out, meta.nonce))) await refuseFile(out, force)
  const envelope = await server.callRest('POST', path, { body: text })
  const response = readOfflineResponse(envelope)
  if ('wrong' in response || !isObject(envelope))
    throw new Problem('cli.unreadable_answer', 'The server answered something else than an offline response.', {
      hint: lookFirst,
    })
  if (response.claims.nonce !== meta.nonce)
    throw new Problem('cli.unreadable_answer', 'The server answered another request than this one (another nonce).', {
      hint: lookFirst,
    })
  return envelope
}

/** Whether a file holds a response to a request of this nonce, so that its licence was issued before. */
async function answers(path: string | undefined, nonce: string): Promise<boolean> {
  const text = path === undefined ? undefined : await findText(path)
  const response = readOfflineResponse(strictJsonIn(Buffer.from(text ?? '')))
  return 'claims' in response && response.claims.nonce === nonce
}

/** Not of the connection, the credentials or the server as a whole. */
const isOfThisRequest = ({ codeName, details: { status } }: Problem) =>
  codeName === 'cli.input' || codeName === 'cli.output' || status === 400 || status === 404 || status === 409
