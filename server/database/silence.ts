import type { Socket } from 'node:net'
import pg from 'pg'

/** How long a connection may say nothing before it is found out whether the database is there, and how long that takes at most. */
const silentMillis = 5000
const answerMillis = 5000

/**
 * Gives up the connections to a database that does not answer at all, so that what was asked of it fails, where the network
 * would have it wait for a quarter of an hour. A statement that takes long, or waits for a lock, is waited for.
 */
export function giveUpOnSilence(connectionString: string): (socket: Socket) => void {
  let lastAnswer = 0
  let asking: Promise<boolean> | undefined
  const ask = async () => {
    const isThere = await answers(connectionString)
    if (isThere) lastAnswer = Date.now()
    asking = undefined
    return isThere
  }
  const isThere = async () => {
    if (Date.now() - lastAnswer < silentMillis) return true
    asking ??= ask()
    return asking
  }
  return (socket) => {
    socket.setTimeout(silentMillis).on('timeout', async () => {
      const heard = socket.bytesRead
      if ((await isThere()) || socket.bytesRead > heard) socket.setTimeout(silentMillis)
      else socket.destroy(Object.assign(new Error('the database has fallen silent'), { code: 'ETIMEDOUT' }))
    })
  }
}

/** Whether a database answers, be it with a refusal. */
async function answers(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: answerMillis })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return true
  } catch (error) {
    return error instanceof pg.DatabaseError
  } finally {
    void client.end().catch(() => undefined)
  }
}
