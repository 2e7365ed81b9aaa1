/** A fast endpoint: takes whatever is posted, and says on GET how much of it and when, from then on anew. Run as a process of its own. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

let count = 0
let first = 0
let last = 0
const server = createServer((request, reply) => {
  if (request.method === 'GET') {
    reply.end(JSON.stringify({ count, first, last }))
    if (request.url === '/anew') count = first = last = 0
    return
  }
  request.resume().on('end', () => {
    last = performance.now()
    first ||= last
    count++
    reply.writeHead(204).end()
  })
})
server.listen(0, '127.0.0.1', () =>
  console.log(JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })),
)
process.once('SIGTERM', () => process.exit(0))
