import { parentPort, workerData } from 'node:worker_threads'
import { bringCheck } from '../catalog-schema/checker.ts'
import { checkReviewed, checkSnapshot } from '../catalog-schema/snapshot.ts'
import { ReviewedSnapshotSchema, SnapshotSchema } from '../catalog-schema/snapshot-schema.ts'
import { openSealer } from './access/installation/master-key.ts'
import { readDatabaseUrl } from './database/database-url.ts'
import { openDatabase } from './database/open.ts'
import { heavyRouter } from './heavy-router.ts'
import { withBorrowedWriter } from './kit/borrowed-writer.ts'
import type { HeavyJob, HeavyMessage } from './kit/heavy-lane.ts'
import { PlainInput, SplitInput } from './kit/input.ts'
import { lazily } from './kit/lazily.ts'
import { Problem } from './kit/problem.ts'
import { problemOf } from './kit/procedure.ts'
import { readJsonBody } from './kit/rest/body.ts'
import { csvOf, csvType } from './kit/rest/csv.ts'
import { operationsOf } from './kit/rest/operation.ts'
import { giveWay } from './kit/thread-priority.ts'

giveWay()
bringCheck(SnapshotSchema, checkSnapshot)
bringCheck(ReviewedSnapshotSchema, checkReviewed)

/** The thread that heavy operations run on: the same procedures over a database connection of its own. */
const { databaseUrl } = workerData as { databaseUrl: string }
const operations = new Map(operationsOf(heavyRouter).map((operation) => [operation.contract.name, operation]))
const opened = openDatabase(databaseUrl, 'bulk')
const sealer = lazily(() => openSealer(opened, readDatabaseUrl(databaseUrl)))
// Before anybody asks; where that fails, who asks has it opened again, and is told why it cannot be.
sealer.get().catch(() => undefined)

parentPort!.on('message', (job: HeavyJob) => void answer(job))

async function answer({ name, context, request, reply }: HeavyJob): Promise<void> {
  const say = (message: HeavyMessage) => reply.postMessage(message)
  try {
    const operation = operations.get(name)!
    const body = readJsonBody(Buffer.concat(request.body ?? []), request.bodyHeaders)
    const input = request.asOneInput ? new PlainInput(body) : new SplitInput(request.params, request.query, body)
    const whole = {
      ...context,
      database: withBorrowedWriter(opened, say, reply),
      sealer: await sealer.get(),
      dueWork: [],
    }
    const value = await operation.run(whole, input)
    const csv = request.asOneInput ? undefined : csvOf(operation.contract, request.query, value)
    const headers = {
      ...whole.answer.headers,
      ...(whole.answer.replayed ? { 'idempotency-replayed': 'true' } : {}),
      ...(csv === undefined ? {} : { 'content-type': csvType }),
    }
    const text = new TextEncoder().encode(csv ?? (typeof value === 'string' ? value : JSON.stringify(value)))
    reply.postMessage({ say: 'answer', body: text, headers } satisfies HeavyMessage, [text.buffer])
  } catch (error) {
    const problem = problemOf(error)
    if (problem.codeName === 'server.internal') say({ say: 'failure', stack: stackOf(error) })
    else
      say({
        say: 'problem',
        codeName: problem.codeName,
        status: problem.status,
        detail: problem.message,
        extensions: problem.extensions,
        headers: problem.headers,
      })
  }
}

const stackOf = (error: unknown) => {
  const cause = (error as { cause?: unknown }).cause ?? error
  return cause instanceof Problem
    ? cause.message
    : cause instanceof Error
      ? (cause.stack ?? cause.message)
      : String(cause)
}
