import type { Snapshot } from '../../catalog-schema/snapshot.ts'
import type { ChosenEnvironment } from '../environments/choosing.ts'
import { Problem } from '../problems.ts'
import { nameAuthors } from './author-names.ts'
import { catalogClient } from './compare.ts'
import { importScopes } from './sending.ts'

/** A key that is not as it was expected, with who changed it last and when, as far as the server knows. */
export interface MovedKey {
  key: string
  changedAt: string | null
  changedBy: string | null
  message: string
}

/** A key that nothing has, expected to be something: an apply that names it is always refused. */
const impossible = { key: 'licet:never', fingerprint: 'never' }

/**
 * Who moved keys and when. The server only says so where it refuses an apply, so this is one that it must refuse: it
 * expects what no environment can hold. Nothing is known where the client may not write.
 */
export async function askWhoMoved(
  environment: ChosenEnvironment,
  snapshot: Snapshot,
  expected: Record<string, string | null>,
): Promise<MovedKey[]> {
  try {
    await catalogClient(environment, importScopes).apply.mutate({
      snapshot,
      expected: { ...expected, [impossible.key]: impossible.fingerprint },
    })
  } catch (error) {
    if (error instanceof Problem && error.codeName === 'catalog.environment_changed')
      return (await describeMoved(environment, error)).filter(({ key }) => key !== impossible.key)
    if (!(error instanceof Problem)) throw error
  }
  return []
}

/** The keys that a refused apply names; the message calls whoever changed them by name where it is known. */
export async function describeMoved(environment: ChosenEnvironment, { details }: Problem): Promise<MovedKey[]> {
  const moved = (details.errors ?? []).map((error) => {
    const { key, changedAt, changedBy } = error as Partial<Record<string, string | null>>
    return { key: key ?? '', changedAt: changedAt ?? null, changedBy: changedBy ?? null }
  })
  const nameOf = await nameAuthors(
    environment,
    moved.map(({ changedBy }) => changedBy),
  )
  return moved.map(({ key, changedAt, changedBy }) => {
    const message = `changed ${changedAt ?? 'meanwhile'}${changedBy === null ? '' : ` by ${nameOf(changedBy)}`}`
    return { key, changedAt, changedBy, message }
  })
}
