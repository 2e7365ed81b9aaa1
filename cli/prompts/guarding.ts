import { counted } from '../counting.ts'
import { Problem } from '../problems.ts'
import { changeText } from '../screens/change-value.ts'
import type { CatalogReport } from '../tasks/catalog-report.ts'
import { type Guard, type GuardedChange, guardedChanges, guards } from '../tasks/guards.ts'

/** The flags of guard-flags.ts, as they were given. */
export type GuardWords = Partial<Record<`allow-${Guard}`, boolean>>

interface Guarded {
  name: string | null
  protected: boolean
}

/**
 * Refuses a change of a protected environment that holds what nobody has allowed: a price, a retirement, a value
 * that changes or a product that is unlocked (cli.guarded, naming each with its flag). Nothing has been sent then.
 */
export function refuseGuarded(environment: Guarded, report: Pick<CatalogReport, 'items'>, words: GuardWords): void {
  if (!environment.protected) return
  const refused = guardedChanges(report).filter(({ guard }) => words[`allow-${guard}`] !== true)
  if (refused.length === 0) return
  const count = refused.length === 1 ? 'A change needs' : `${refused.length} changes need`
  throw new Problem(
    'cli.guarded',
    `${count} to be allowed in "${environment.name}", which is protected; nothing was changed.`,
    {
      hint: flagsOf(refused).join(' '),
      errors: refused.map(({ guard, key, path, ...change }) => ({
        key,
        path,
        message: `${changeText({ path, ...change })} needs --allow-${guard}`,
        flag: `--allow-${guard}`,
        ...change,
      })),
    },
  )
}

/** The flags that changing a protected environment as a report says needs, in their order; none for any other. */
export function guardsNeeded(environment: Pick<Guarded, 'protected'>, report: Pick<CatalogReport, 'items'>): string[] {
  if (!environment.protected) return []
  return flagsOf(guardedChanges(report))
}

/** What changing a protected environment as a report says needs, as a line for a person; undefined when nothing. */
export function guardNotice(environment: Guarded, report: Pick<CatalogReport, 'items'>): string | undefined {
  if (!environment.protected) return undefined
  const found = guardedChanges(report)
  if (found.length === 0) return undefined
  const counts = guards.flatMap((guard) => {
    const count = found.filter((one) => one.guard === guard).length
    return count === 0 ? [] : [`--allow-${guard} (${counted(count, 'change')})`]
  })
  return `"${environment.name}" is protected: this needs ${counts.join(', ')}.`
}

/** The flags that changes need to be allowed, each once, in their order. */
export const flagsOf = (changes: readonly GuardedChange[]) =>
  guards.filter((guard) => changes.some((change) => change.guard === guard)).map((guard) => `--allow-${guard}`)
