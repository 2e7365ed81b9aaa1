import { counted } from '../counting.ts'
import { chooseEnvironment } from '../environments/choosing.ts'
import { inputName, nothingOnStdin, readInput } from '../input-files.ts'
import { batchFrom } from '../metering/batches.ts'
import type { Holder } from '../metering/holder-flags.ts'
import { readRecords, type TransactionRecord, type Unreadable } from '../metering/transaction-records.ts'
import { type CliCodeName, cliProblems, Problem } from '../problems.ts'
import { duringPhase, tellProgress } from '../progress.ts'
import { serverClient } from '../server-client.ts'
import { objectOf, openSession } from './licensed-session.ts'
import type { Acknowledgement } from './tenant-records.ts'

const usagePath = '/api/v1/provision/usage'
const uploadScope = 'operational.entitlements:update'

type Rejection = Acknowledgement['rejected'][number]

/** What became of uploaded records: how many were taken, or taken before, and each that counts for nothing with its place. */
export interface Uploaded extends Omit<Acknowledgement, 'rejected'> {
  rejected: (Omit<Rejection, 'codeName'> & {
    /** cli.input of what was no record, and not uploaded. */
    codeName: Rejection['codeName'] | CliCodeName
    line: number | null
    index: number | null
  })[]
}

type Send = (body: string) => Promise<unknown>

/**
 * Uploads the transaction records of a file or stdin (`-`) in batches, the lowest transactionId first; each goes on behind
 * what the one before it got acknowledged. What is no record is told as rejected, and holds up none of them. A failure on the
 * way says how far it came: the same upload again counts nothing twice.
 */
export async function uploadUsage(file: string, holder: Holder, named: string | undefined): Promise<Uploaded> {
  if (file === '-' && 'license' in holder && holder.license === '-')
    throw new Problem('cli.usage', 'Only one of the records and the licence can come from stdin.')
  const bytes = await readInput(file)
  if (file === '-' && bytes.length === 0) throw nothingOnStdin('no records are written []')
  const { records, unreadable } = readRecords(bytes, inputName(file))
  const { send, host } = await senderFor(holder, named)
  const sent = await duringPhase(`Uploading ${counted(records.length, 'record')} to ${host}`, () =>
    sendAll(records, send),
  )
  return { ...sent, rejected: [...unreadable.map(rejectionOf), ...sent.rejected] }
}

const rejectionOf = ({ line, index, message }: Unreadable): Uploaded['rejected'][number] => ({
  ...{ line, index, transactionId: null, code: cliProblems['cli.input'], codeName: 'cli.input' },
  message,
})

async function senderFor(holder: Holder, named: string | undefined): Promise<{ send: Send; host: string }> {
  if ('license' in holder) {
    const { id, host, call } = await openSession(holder.license, named)
    const path = `${usagePath}/sessions/${encodeURIComponent(id)}/transactions`
    return { host, send: (body) => call('POST', path, { body }) }
  }
  const environment = await chooseEnvironment(named)
  const client = serverClient(environment, [uploadScope])
  const path = `${usagePath}/entitlements/${holder.entitlement}/transactions`
  return { host: new URL(environment.url).host, send: (body) => client.callRest('POST', path, { body }) }
}

async function sendAll(records: readonly TransactionRecord[], send: Send): Promise<Uploaded> {
  const sum: Uploaded = { processed: 0, duplicates: 0, rejected: [], acknowledgedTransactionId: null }
  const placeOf = new Map(records.map(({ transactionId, line, index }) => [transactionId, { line, index }]))
  const nowhere = { line: null, index: null }
  for (let next = 0; next < records.length; ) {
    tellProgress(next, records.length)
    const batch = batchFrom(records, next)
    const answer = await sendBatch(batch, send).catch((error: unknown) => {
      throw error instanceof Problem ? stoppedAt(error, next, records) : error
    })
    sum.processed += answer.processed
    sum.duplicates += answer.duplicates
    sum.rejected.push(
      ...answer.rejected.map((one) => ({ ...(placeOf.get(one.transactionId ?? -1) ?? nowhere), ...one })),
    )
    sum.acknowledgedTransactionId = answer.acknowledgedTransactionId
    const done = batch.filter(({ transactionId }) => transactionId <= (answer.acknowledgedTransactionId ?? -1)).length
    if (done === 0) throw stoppedAt(acknowledgedNothing(), next, records)
    next += done
  }
  return sum
}

async function sendBatch(batch: readonly TransactionRecord[], send: Send): Promise<Acknowledgement> {
  const answer = objectOf(await send(`[${batch.map(({ text }) => text).join(',')}]`), sameAgain)
  if (Array.isArray(answer.rejected)) return answer as unknown as Acknowledgement
  throw new Problem('cli.unreadable_answer', 'The server answered without saying what it took.', { hint: sameAgain })
}

const acknowledgedNothing = () =>
  new Problem('cli.unreadable_answer', 'The server acknowledged none of a batch.', { hint: sameAgain })

const sameAgain = 'the same again: nothing is counted twice'

function stoppedAt(problem: Problem, done: number, records: readonly TransactionRecord[]): Problem {
  if (done === 0) return problem
  const { codeName, message, details } = problem
  const upTo = records[done - 1]!.transactionId
  const said = /[.!?…]$/.test(message) ? message : `${message}.`
  return new Problem(codeName, `${said} ${done} of ${records.length} records were uploaded, up to ${upTo}.`, {
    ...details,
    hint: sameAgain,
  })
}
