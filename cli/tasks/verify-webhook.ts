import { readDuration } from '../../catalog-schema/duration.ts'
import { inputName, readInput, readInputText, refuseSharedStdin } from '../input-files.ts'
import { Problem } from '../problems.ts'
import { type Headers, readHeaders } from '../webhooks/header-reading.ts'
import { splitRequest } from '../webhooks/request-dump.ts'
import { readSigningSecrets, type SigningSecret } from '../webhooks/signing-secrets.ts'
import { type Delivery, type Verdict, verifyDelivery } from '../webhooks/verifying.ts'

/** The files of a saved delivery, each a path or `-` for stdin, and what its headers say where they were given as they are. */
export interface SavedDelivery {
  request?: string | undefined
  body?: string | undefined
  headers?: string | undefined
  id?: string | undefined
  timestamp?: string | undefined
  signature?: string | undefined
  secretFile?: string | undefined
}

/** A verdict with what it was found by. */
export interface Judgement {
  verdict: Verdict
  delivery: Delivery
  secrets: SigningSecret[]
}

/** The verdict on a saved delivery at an instant (milliseconds), its timestamp trusted within a duration (ISO 8601). Raises cli.usage, cli.input, cli.answer_needed. */
export async function verifySavedDelivery(saved: SavedDelivery, now: number, tolerance: string): Promise<Judgement> {
  const trusted = readDuration(tolerance)
  if (!trusted)
    throw new Problem('cli.usage', '--tolerance is no duration (ISO 8601).', { hint: 'PT5M, PT30S, P1D, PT0S' })
  if (trusted.months > 0)
    throw new Problem('cli.usage', '--tolerance counts in months, whose length differs.', { hint: 'P30D' })
  refuseSharedStdin([saved.request, saved.body, saved.headers, saved.secretFile])
  const read = await readDelivery(saved)
  const secrets = await readSigningSecrets(saved.secretFile, { mayBePiped: true })
  const delivery = { ...read, headers: withGiven(read.headers, saved) }
  return { verdict: verifyDelivery(delivery, secrets, { now, tolerance: trusted.millis }), delivery, secrets }
}

async function readDelivery({ request, body, headers, ...given }: SavedDelivery): Promise<Delivery> {
  if (request !== undefined) {
    if (body !== undefined || headers !== undefined)
      throw new Problem('cli.usage', '--request is the whole delivery: it goes without --body and --headers.')
    return splitRequest(await readInput(request), inputName(request))
  }
  if (body === undefined)
    throw new Problem('cli.usage', 'Name the body.', { hint: '--body FILE, or the whole request with --request FILE' })
  if (headers === undefined && [given.id, given.timestamp, given.signature].includes(undefined))
    throw new Problem('cli.usage', 'Name the headers.', {
      hint: '--headers FILE, or --id, --timestamp and --signature',
    })
  const said: Headers =
    headers === undefined
      ? new Map()
      : readHeaders(await readInputText(headers, { limit: 1024 * 1024 }), inputName(headers))
  return { headers: said, body: await readInput(body) }
}

/** The headers with those that flags give in the place of their own. */
function withGiven(headers: Headers, { id, timestamp, signature }: SavedDelivery): Headers {
  const given = Object.entries({ id, timestamp, signature }).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[`webhook-${name}`, value.trim()]],
  )
  return new Map([...headers, ...given])
}
