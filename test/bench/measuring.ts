import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'

/** One line of the table: what was measured, its floor in the same run, and what the two are held to. */
export interface Row {
  name: string
  value: number
  /** Nothing to compare with: the value is told as it is. */
  floor?: number
  floorName?: string
  unit: string
  target?: Target
  note?: string
}

/** `ratio` is value / floor; `value` the value itself. */
export interface Target {
  id: string
  of: 'ratio' | 'value'
  atMost?: number
  atLeast?: number
}

export type Bench = () => Promise<Row[]>

/** Whether all is run once and shortly, which shows that it works and not how fast it is. */
export const isQuick = process.argv.includes('--quick')

/** How often each of those that are compared is run. */
export const rounds = isQuick ? 1 : 5

export const median = (values: readonly number[]) => quantile(values, 0.5)

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!
}

/** Runs every candidate once a round, in turn, and answers each one's median. */
export async function alternate<Name extends string>(
  rounds: number,
  candidates: Record<Name, () => Promise<number> | number>,
): Promise<Record<Name, number>> {
  const names = Object.keys(candidates) as Name[]
  const values = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>
  for (let round = 0; round < rounds; round++)
    for (const name of round % 2 === 0 ? names : names.toReversed()) values[name].push(await candidates[name]())
  return Object.fromEntries(names.map((name) => [name, median(values[name])])) as Record<Name, number>
}

/** Milliseconds that it takes. */
export async function timed(run: () => unknown): Promise<number> {
  const begun = performance.now()
  await run()
  return performance.now() - begun
}

/** CPU seconds that a process has used so far, all its threads together (Linux; NaN elsewhere). */
export function cpuSecondsOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
    return (Number(fields[11]) + Number(fields[12])) / clockTicks
  } catch {
    return Number.NaN
  }
}

/** Resident memory of a process in MB (Linux; NaN elsewhere). */
export function residentMegabytes(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024
  } catch {
    return Number.NaN
  }
}

const clockTicks = 100

export function machineLine(): string {
  const [load] = loadavg()
  return `${cpus().length} × ${cpus()[0]?.model.trim()}, node ${process.versions.node}, ${process.platform}, load ${load!.toFixed(1)}, commit ${commit()}`
}

function commit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8', stdio: 'pipe' }).trim()
  } catch {
    return 'unknown'
  }
}

const number = (value: number) =>
  value >= 1000 ? Math.round(value).toLocaleString('en') : value.toPrecision(3).replace(/\.0+$/, '')

/** The table's line of a row. */
export function lineOf({ name, value, floor, floorName, unit, target, note }: Row): string {
  const ratio = floor === undefined ? undefined : value / floor
  const held = target?.of === 'ratio' ? ratio : value
  const met =
    target && held !== undefined
      ? (target.atMost === undefined || held <= target.atMost) &&
        (target.atLeast === undefined || held >= target.atLeast)
      : undefined
  return [
    name.padEnd(52),
    `${number(value)} ${unit}`.padStart(16),
    (floor === undefined ? '' : `${number(floor)} ${unit}`).padStart(16),
    (ratio === undefined ? '' : `${number(ratio)} ×`).padStart(9),
    target ? `  ${target.id} ${limitOf(target)}: ${met ? 'met' : 'NOT met'}` : '  ',
    [floorName ? `(${floorName})` : '', note ?? ''].filter(Boolean).join(' '),
  ].join(' ')
}

const limitOf = ({ of, atMost, atLeast }: Target) =>
  `${atMost === undefined ? `≥ ${atLeast}` : `≤ ${atMost}`}${of === 'ratio' ? ' ×' : ''}`
