import type { Snapshot } from '../../catalog-schema/snapshot.ts'
import { type ChosenEnvironment, environmentName } from '../environments/choosing.ts'
import { Problem } from '../problems.ts'
import { duringPhase } from '../progress.ts'
import type { CatalogReport, ImportReport } from './catalog-report.ts'
import { compareWith } from './compare.ts'
import { sendChange } from './sending.ts'

/**
 * Imports exactly what a comparison showed: when the environment has moved since, nothing is changed, and the problem
 * (catalog.environment_changed) names what would be different now.
 */
export async function importShown(
  environment: ChosenEnvironment,
  { snapshot, source }: { snapshot: Snapshot; source: string },
  shown: CatalogReport,
): Promise<ImportReport> {
  const expectedRevision = shown.environmentRevision ?? undefined
  const name = environmentName(environment)
  try {
    return await duringPhase(`Importing into ${name}`, () =>
      sendChange(environment, (catalog) =>
        catalog.import.mutate({
          snapshot,
          source,
          ...(expectedRevision ? { expectedRevision } : {}),
        }),
      ),
    )
  } catch (error) {
    if (!(error instanceof Problem) || error.codeName !== 'catalog.environment_changed') throw error
    throw movedProblem(error, name, shown, (await compareWith(environment, snapshot)).report)
  }
}

/** Refuses when the environment is not at the revision that somebody expects. */
export function requireRevision(
  expected: string | undefined,
  { environmentRevision }: CatalogReport,
  name: string,
): void {
  if (expected === undefined || expected === environmentRevision) return
  throw new Problem(
    'catalog.environment_changed',
    `${name} is at revision ${environmentRevision}, not ${expected}; nothing was changed.`,
    {
      code: 3005,
      hint: 'review what has changed, then run it again without --expected-revision or with the new one',
    },
  )
}

/** The keys of which a later report says something else than an earlier one. */
export function movedKeys(shown: CatalogReport, now: CatalogReport): string[] {
  const spoken = ({ items }: CatalogReport) =>
    new Map(items.map(({ key, action, changes, fingerprint }) => [key, JSON.stringify([action, changes, fingerprint])]))
  const [then, later] = [spoken(shown), spoken(now)]
  return [...new Set([...then.keys(), ...later.keys()])].filter((key) => then.get(key) !== later.get(key))
}

function movedProblem(refused: Problem, name: string, shown: CatalogReport, now: CatalogReport): Problem {
  const moved = movedKeys(shown, now)
  const what =
    moved.length === 0
      ? 'What was shown here is as it was; something else in its catalog changed.'
      : `${moved.length} of the items shown would change otherwise now.`
  return new Problem(refused.codeName, `${name} has changed since this was shown; nothing was imported. ${what}`, {
    ...refused.details,
    code: refused.code ?? 3005,
    hint: 'run the same command again: it shows what would change now',
    errors: moved.map((key) => ({ key, message: 'changed meanwhile' })),
  })
}
