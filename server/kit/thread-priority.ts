import { readdirSync, readFileSync } from 'node:fs'
import { constants, getPriority, setPriority } from 'node:os'

const thisThread = 0
/** What this process was started with. */
let usual: number = constants.priority.PRIORITY_NORMAL

/**
 * On Linux a thread has a priority of its own: when processors are few, the requests of the shop go before this thread. So do
 * they before what V8's own threads compile and collect, which is mostly this thread's.
 */
export function giveWay(): void {
  try {
    usual = getPriority(thisThread)
  } catch {
    // A sandbox may forbid even to look.
  }
  prioritize(behind(), () => [thisThread, ...helpersOfV8()])
}

const behind = () => Math.max(usual, constants.priority.PRIORITY_BELOW_NORMAL)

/** Has this thread, which gives way, keep pace with the others for as long as the work takes: they wait for it. */
export async function keepingPace<T>(work: () => Promise<T>): Promise<T> {
  prioritize(usual, () => [thisThread])
  try {
    return await work()
  } finally {
    prioritize(behind(), () => [thisThread])
  }
}

function prioritize(priority: number, threads: () => number[]) {
  if (process.platform !== 'linux') return
  try {
    for (const thread of threads()) setPriority(thread, priority)
  } catch {
    // A sandbox may forbid it, and to go higher again takes a privilege: all the same then, only less polite.
  }
}

function helpersOfV8(): number[] {
  const threads = '/proc/self/task'
  const isHelper = (thread: string) => readFileSync(`${threads}/${thread}/comm`, 'utf8').trim() === 'V8Worker'
  return readdirSync(threads).filter(isHelper).map(Number)
}
