import type { ShownFinding } from '../findings.ts'
import { Problem } from '../problems.ts'
import type { CatalogReport } from './catalog-report.ts'
import type { Comparison } from './compare.ts'

/** A comparison as far as its errors go. */
type Refusable<Fields extends keyof Comparison> = Pick<Comparison, Fields> & { report: Pick<CatalogReport, 'errors'> }

/** The errors of a report, each at the line of the file that causes it where the catalog comes from files. */
export function locateErrors({ report, placeOf }: Refusable<'placeOf'>) {
  return report.errors.map((error) => {
    const found: CatalogReport['errors'][number] & ShownFinding = {
      ...placeOf(error.key, error.path),
      severity: 'error',
      ...error,
    }
    return found
  })
}

/** Raises the first error of a report, with all of them, when there is any: such a catalog cannot be imported. */
export function refuseErrors(comparison: Refusable<'placeOf' | 'before' | 'after'>): void {
  const problem = refusalOf(comparison)
  if (problem) throw problem
}

/** Why a compared catalog cannot be imported: the first error of the report, with all of them; undefined when there is none. */
export function refusalOf(comparison: Refusable<'placeOf' | 'before' | 'after'>): Problem | undefined {
  const errors = locateErrors(comparison)
  const [first] = errors
  if (!first) return undefined
  const count = errors.length === 1 ? 'An error' : `${errors.length} errors`
  return new Problem(first.codeName, `${count}: ${comparison.before.name} would refuse ${comparison.after.name}.`, {
    code: first.code,
    errors,
  })
}
