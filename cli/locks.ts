import { readFileSync, readlinkSync } from 'node:fs'
import { mkdir, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { exitCodeOf, type Interruption, interruptions } from './interruptions.ts'
import { Problem } from './problems.ts'
import { makeDirectory, refuseWriting, temporaryName } from './whole-files.ts'

/** How long a command waits for another that holds the lock. */
const patienceMs = 10_000

/** Where the ids of processes are those that this one sees: containers may share a host name, and not that. */
export const here = `${hostname()}${pidNamespace()}`
/** Which start of the machine this is: a process of an earlier one has ended, whoever has its id now. Empty where the system does not say. */
const boot = bootOf()
/** Who holds a lock: this run of licet. */
const self = `${process.pid}.${Date.now()}.${boot}@${here}`

function pidNamespace(): string {
  try {
    return `.${/\d+/.exec(readlinkSync('/proc/self/ns/pid'))}`
  } catch {
    return ''
  }
}

function bootOf(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').slice(0, 8)
  } catch {
    return ''
  }
}

/** The lock of those who write into a directory. */
export const directoryLock = (directory: string) => join(directory, '.licet.lock')

/**
 * Does work that reads and writes the same files, one command at a time. The lock is a folder with one file, whose name
 * says who holds it: both come and go at one stroke, on network file systems too. One whose holder was killed is taken
 * over. Whoever interrupts the command waits until the work has left nothing half done: it looks at the signal where it
 * can stop, and goes on to its end where it cannot. Raises cli.output, which names what is written, when another does not
 * let go of the lock.
 */
export async function whileLocked<T>(
  lock: string,
  written: string,
  work: (interrupted: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const { signal } = controller
  const onInterrupt = (name: Interruption) => controller.abort(name)
  for (const name of interruptions) process.on(name, onInterrupt)
  const isNew = await makeDirectory(dirname(lock)).catch(() => false)
  try {
    const isTaken = await takeLock(lock, written, signal)
    try {
      return await work(signal)
    } finally {
      if (isTaken) await releaseLock(lock)
    }
  } catch (error) {
    // Only an empty one goes.
    if (isNew) await rmdir(dirname(lock)).catch(() => undefined)
    if (signal.aborted && error === signal.reason) process.exit(exitCodeOf[signal.reason as Interruption])
    throw error
  } finally {
    for (const name of interruptions) process.removeListener(name, onInterrupt)
  }
}

/** False where no lock can be made: nothing can be written there either, and the work says so of what it would write. */
async function takeLock(lock: string, written: string, interrupted: AbortSignal): Promise<boolean> {
  for (const until = Date.now() + patienceMs; ; await setTimeout(20)) {
    interrupted.throwIfAborted()
    const holder = (await readdir(lock).catch(() => []))[0]
    if (holder === undefined) {
      const outcome = await makeLock(lock, written)
      if (outcome !== 'held') return outcome === 'made'
    } else if (isLeft(holder)) {
      // Of several that try only one finds the name of the old holder.
      const isOurs = await rename(join(lock, holder), join(lock, self)).then(
        () => true,
        () => false,
      )
      if (isOurs) return true
    }
    if (Date.now() > until)
      throw new Problem('cli.output', `Another licet is writing ${written}.`, {
        hint: `try again when it has ended; when there is none, remove ${lock}`,
      })
  }
}

const barred = ['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR']

/** Made beside its place with its holder in it, and moved there: a rename replaces no folder that holds something. */
async function makeLock(lock: string, written: string): Promise<'made' | 'held' | 'barred'> {
  const own = temporaryName(lock)
  // Whoever had made the folder may have taken it away again, empty.
  await makeDirectory(dirname(lock)).catch(() => false)
  try {
    await mkdir(own)
    await writeFile(join(own, self), '')
  } catch (cause) {
    await rm(own, { recursive: true, force: true }).catch(() => undefined)
    const { code = '' } = cause as NodeJS.ErrnoException
    return barred.includes(code) ? 'barred' : refuseWriting(written, cause)
  }
  try {
    await rename(own, lock)
    return 'made'
  } catch {
    await rm(own, { recursive: true, force: true })
    return 'held'
  }
}

async function releaseLock(lock: string): Promise<void> {
  await rm(join(lock, self), { force: true })
  // Somebody else may have it already.
  await rmdir(lock).catch(() => undefined)
}

/** Whether who held the lock has ended without letting go of it; of other machines and containers nobody can tell. */
function isLeft(holder: string): boolean {
  const [, pid, itsBoot, host] = /^(\d+)\.\d+\.?(\w*)@(.*)$/.exec(holder) ?? []
  if (host !== here || holder === self) return false
  if (itsBoot && boot && itsBoot !== boot) return true
  const id = Number(pid)
  // An earlier run had the id that this one has, as in a container that was started again.
  if (id === process.pid) return true
  try {
    process.kill(id, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}
