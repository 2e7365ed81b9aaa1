import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where all processes and threads that tests start keep what they have compiled, from one run to the next: it changes nothing but the time. */
export const compileCache =
  process.env.NODE_COMPILE_CACHE ?? join(tmpdir(), `licet-test-compile-cache-${process.getuid?.() ?? 0}`)
