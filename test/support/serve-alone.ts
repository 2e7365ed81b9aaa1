import { flushCompileCache } from 'node:module'
import { startServer } from '../../server/app.ts'

/** The real server in a process of its own, which a test may kill: `node serve-alone.ts DATABASE_URL LOG_LEVEL`; prints its origin. */
const [databaseUrl, logLevel] = process.argv.slice(2)
const server = await startServer({
  databaseUrl: databaseUrl!,
  host: '127.0.0.1',
  port: 0,
  logLevel,
  publicUrl: 'http://licet.example',
  allowPrivateWebhooks: true,
})
process.once('SIGTERM', () => void server.close())
console.log(server.url)
// Who kills it leaves it no other time to.
flushCompileCache()
