import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where all processes and threads that tests start keep what they have compiled: it changes nothing but the time. */
export const compileCache = join(tmpdir(), `licet-test-compile-cache-${process.getuid?.() ?? 0}`)
