import type { Snapshot } from '../../catalog-schema/snapshot.ts'
import { type ChosenEnvironment, environmentName } from '../environments/choosing.ts'
import { Problem } from '../problems.ts'
import { duringPhase } from '../progress.ts'
import type { CatalogReport, ImportReport } from './catalog-report.ts'
import { describeMoved } from './moved-keys.ts'
import { sendChange } from './sending.ts'

/**
 * Applies what a comparison showed, guarded key by key: an edit elsewhere in the environment does not matter, one of a
 * key that changes is refused (catalog.environment_changed) with who made it and when. All or nothing.
 */
export async function applyShown(
  environment: ChosenEnvironment,
  promoted: { snapshot: Snapshot; source: string },
  shown: CatalogReport,
): Promise<ImportReport> {
  const changing = shown.items.filter(({ action }) => action !== 'unchanged')
  const expected = Object.fromEntries(changing.map(({ key, fingerprint }) => [key, fingerprint ?? null]))
  const name = environmentName(environment)
  try {
    return await duringPhase(`Applying to ${name}`, () =>
      sendChange(environment, (catalog) => catalog.apply.mutate({ ...promoted, expected })),
    )
  } catch (error) {
    if (!(error instanceof Problem) || error.codeName !== 'catalog.environment_changed') throw error
    throw new Problem(error.codeName, `${name} has changed since this was shown; nothing was applied.`, {
      ...error.details,
      code: error.code ?? 3005,
      hint: 'run the same command again: it shows what would change now',
      errors: await describeMoved(environment, error),
    })
  }
}

/** Refuses to take a catalog from the environment that it is to go to (cli.usage). */
export function requireOther(source: ChosenEnvironment, target: ChosenEnvironment): void {
  if (source.url !== target.url) return
  const names = `"${environmentName(source)}" and "${environmentName(target)}"`
  throw new Problem('cli.usage', `${names} are the same environment (${target.url}).`)
}
