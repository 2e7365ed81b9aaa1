import { promisify } from 'node:util'
import { gunzipSync, gzip } from 'node:zlib'

const compress = promisify(gzip)
/** In one piece: each further one would wait until the thread that made it has nothing else to do. */
const gzipOptions = { level: 1, chunkSize: 1024 * 1024 }

/** A value as JSON, compressed on a thread of its own: a catalog says most words many times. */
export const compressJson = (value: unknown): Promise<Uint8Array> => compress(JSON.stringify(value), gzipOptions)

/** What was compressed. */
export const parseCompressed = <T>(bytes: Uint8Array): T => JSON.parse(gunzipSync(bytes).toString()) as T
