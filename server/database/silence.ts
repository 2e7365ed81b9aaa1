import type { Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import pg from 'pg'

/** How long a connection may say nothing before it is found out whether the database is there, and how long that takes at most. */
const silentMillis = 5000
export const answerMillis = 5000
const tooLateMillis = 1000

/** Whether it was found out so late that nobody answers, having been asked then, that an answer may be there which this process was too busy to read. */
export const isTooLate = (askedAt: number) => performance.now() - askedAt > answerMillis + tooLateMillis

/** How the network says that nobody is there; any other failure to sign in says nothing of a connection that stands. */
const isUnanswered = (error: unknown) => {
  const { code, message } = error as { code?: unknown; message?: unknown }
  return message === 'timeout expired' || ['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'].includes(String(code))
}

/**
 * Gives up the connections to a database that does not answer at all while something of it is awaited, so that what was asked
 * fails, where the network would have it wait for a quarter of an hour. A statement that takes long, or waits for a lock, is
 * waited for, for as long as others can sign in.
 */
export function giveUpOnSilence(connectionString: string): (socket: Socket, isAwaited: () => boolean) => void {
  let asking: Promise<boolean> | undefined
  const isSilent = () => {
    asking ??= findSilence(connectionString).finally(() => {
      asking = undefined
    })
    return asking
  }
  return (socket, isAwaited) => {
    socket.setTimeout(silentMillis).on('timeout', async () => {
      const heard = socket.bytesRead
      if (isAwaited() && (await isSilent()) && socket.bytesRead === heard)
        socket.destroy(Object.assign(new Error('the database has fallen silent'), { code: 'ETIMEDOUT' }))
      else socket.setTimeout(silentMillis)
    })
  }
}

/** Whether a database lets nobody know that it is there, be it by a refusal. */
async function findSilence(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: answerMillis })
  client.on('error', () => undefined)
  const begun = performance.now()
  try {
    await client.connect()
    return false
  } catch (error) {
    const isLate = isTooLate(begun)
    // What came in the meantime is read first.
    await turn()
    await turn()
    return isUnanswered(error) && !isLate
  } finally {
    void client.end().catch(() => undefined)
  }
}
