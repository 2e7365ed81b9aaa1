import { MessageChannel, type MessagePort, type Transferable, type Worker } from 'node:worker_threads'
import type { Database } from '../database/database.ts'
import type { ProblemName } from '../vocabulary/problems.ts'
import type { RequestContext } from './context.ts'
import { Problem } from './problem.ts'

/** What of a request's context works on its own thread alone. */
const staying = [
  ...(['database', 'sealer', 'dueWork', 'clock', 'identify', 'keepCaller'] as const),
  ...(['outgoing', 'mail', 'settleDeliveries', 'elsewhere'] as const),
]

/** What of it crosses to another thread. */
type PortableContext = Omit<RequestContext, (typeof staying)[number]>

function portableOf(context: RequestContext): PortableContext {
  const portable: Partial<RequestContext> = { ...context }
  for (const name of staying) delete portable[name]
  return portable as PortableContext
}

/** A request's parts as they came, the body unread. */
export interface HeavyRequest {
  params: Record<string, unknown>
  query: Record<string, unknown>
  /** The body's bytes in the pieces that they came in; joined and read on the other thread, and gone from this one. */
  body: Uint8Array[] | undefined
  bodyHeaders: { 'content-type'?: string | undefined; 'content-encoding'?: string | string[] | undefined }
  /** The body is a tRPC call's one input, not a REST body. */
  asOneInput?: boolean
}

export interface HeavyJob {
  name: string
  context: PortableContext
  request: HeavyRequest
  reply: MessagePort
}

/** What the other thread says: it wants the writer, it is done with the writer, or how the job ended. */
export type HeavyMessage =
  | { say: 'want-writer' }
  | { say: 'done-writing' }
  | { say: 'answer'; body: Uint8Array; headers: Record<string, string> }
  | {
      say: 'problem'
      codeName: ProblemName
      status: number
      detail: string
      extensions: Record<string, unknown>
      headers: Record<string, string>
    }
  | { say: 'failure'; stack: string }

export interface HeavyLane {
  run(
    name: string,
    context: RequestContext,
    request: HeavyRequest,
  ): Promise<{ body: Uint8Array; headers: Record<string, string> }>
  close(): Promise<void>
}

const idleMillis = 60_000
/** The most that may wait for the lane: requests, and bytes of their bodies. */
const mostWaiting = { requests: 200, bytes: 256 * 1024 * 1024 }

const unavailable = (detail: string) => new Problem('server.unavailable', detail, { headers: { 'retry-after': '1' } })

/**
 * Runs heavy operations in turn on one thread of their own, with its own database connection, so that a compare or
 * import of thousands of items holds nobody up. The thread starts with the first such operation and ends when it has
 * been idle; when it dies only the operation that runs on it is lost. Throws server.unavailable when too much waits.
 */
export function openHeavyLane(database: Database, start: () => Worker): HeavyLane {
  let worker: Worker | undefined
  let tail: Promise<unknown> = Promise.resolve()
  let idle: NodeJS.Timeout | undefined
  let isClosed = false
  const waiting = { requests: 0, bytes: 0 }

  const currentWorker = () => {
    if (isClosed) throw unavailable('The server is going down; try again shortly.')
    worker ??= watch(start(), (gone) => {
      if (worker === gone) worker = undefined
    })
    return worker
  }

  const stop = async () => {
    const stopping = worker
    worker = undefined
    await stopping?.terminate()
  }

  return {
    async run(name, context, request) {
      const bytes = request.body?.reduce((sum, piece) => sum + piece.length, 0) ?? 0
      if (waiting.requests >= mostWaiting.requests || waiting.bytes + bytes > mostWaiting.bytes)
        throw unavailable('Too many heavy operations are waiting; try again shortly.')
      clearTimeout(idle)
      waiting.requests += 1
      waiting.bytes += bytes
      const turn = tail.then(() => runJob(currentWorker(), database, name, context, request))
      tail = turn.catch(() => undefined)
      try {
        return await turn
      } finally {
        waiting.requests -= 1
        waiting.bytes -= bytes
        if (waiting.requests === 0) idle = setTimeout(() => void stop(), idleMillis).unref()
      }
    },
    async close() {
      isClosed = true
      clearTimeout(idle)
      await stop()
      await tail
      clearTimeout(idle)
    },
  }
}

/** The memory of the pieces that have memory of their own: millions of bytes are handed over rather than copied. */
const handedOver = (pieces: readonly Uint8Array[] = []): Transferable[] =>
  pieces.flatMap(({ buffer, byteLength }) =>
    buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [],
  )

function watch(worker: Worker, gone: (worker: Worker) => void): Worker {
  worker.unref()
  worker.on('error', () => gone(worker))
  worker.on('exit', () => gone(worker))
  return worker
}

function runJob(worker: Worker, database: Database, name: string, context: RequestContext, request: HeavyRequest) {
  const { port1, port2 } = new MessageChannel()
  return new Promise<{ body: Uint8Array; headers: Record<string, string> }>((resolve, reject) => {
    let doneWriting: (() => void) | undefined
    let isSettled = false
    const settle = () => {
      isSettled = true
      doneWriting?.()
      worker.off('exit', died)
      port1.close()
    }
    const died = () => {
      settle()
      reject(unavailable('The operation was cut off; try again.'))
    }
    worker.once('exit', died)
    port1.on('message', (message: HeavyMessage) => {
      switch (message.say) {
        case 'want-writer':
          void database.lendWriter(
            () =>
              new Promise<void>((done) => {
                if (isSettled) return done()
                doneWriting = done
                port1.postMessage('write')
              }),
          )
          return
        case 'done-writing':
          doneWriting?.()
          return
        case 'answer':
          settle()
          return resolve({ body: message.body, headers: message.headers })
        case 'problem':
          settle()
          return reject(
            new Problem(message.codeName, message.detail, {
              status: message.status,
              extensions: message.extensions,
              headers: message.headers,
            }),
          )
        case 'failure':
          settle()
          return reject(new Error(message.stack))
      }
    })
    const job: HeavyJob = { name, context: portableOf(context), request, reply: port2 }
    worker.postMessage(job, [port2, ...handedOver(request.body)])
  })
}
