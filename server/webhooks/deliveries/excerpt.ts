import type { Reply } from '../../kit/outgoing/outgoing.ts'

/** How much of an answer is kept, in bytes. */
const excerptBytes = 2048

/** What an attempt keeps of the reply to it, as columns: how long it took, its status and the beginning of its body; null where there was none. */
export const keptOfReply = (reply: Reply) => ({
  latency_millis: reply.millis,
  status: 'failure' in reply ? null : reply.status,
  response_excerpt:
    'failure' in reply || reply.body.length === 0 ? null : reply.body.subarray(0, excerptBytes).toString('utf8'),
})
