import { readUserEnvironments } from '../../environments/user-file.ts'
import { findProjectFile } from '../../project-file.ts'
import type { Check } from './check.ts'
import { checkEnvironments } from './environment-checks.ts'
import {
  checkCatalog,
  checkCompletion,
  checkPrograms,
  checkProject,
  checkRepository,
  checkUserFile,
} from './local-checks.ts'

/** Everything that licet can be set up with, looked at all at once; bounded in time, and nothing is changed. */
export async function examine(): Promise<Check[]> {
  const [project, user] = await Promise.all([
    findProjectFile().catch((error: Error) => error),
    readUserEnvironments().catch(() => ({ current: null, environments: {} })),
  ])
  const sound = project instanceof Error ? null : project
  const looks = await Promise.all([
    checkPrograms(),
    [checkProject(project)],
    checkCatalog(sound),
    checkRepository(),
    checkUserFile().then((check) => [check]),
    checkEnvironments(sound, user),
    checkCompletion().then((check) => [check]),
  ])
  return looks.flat()
}
