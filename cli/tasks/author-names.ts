import type { ChosenEnvironment } from '../environments/choosing.ts'
import { Problem } from '../problems.ts'
import { adminClient, listFirst } from './tenant-records.ts'

const mostClients = 1000

/** What to call whoever changed something: a client's name where it is known, else what the server records. */
export type NameOf = (author: string | null) => string

/**
 * Names for the clients among the authors. They are a courtesy: a client that may not list clients, or one that has been
 * deleted since, is called by its id.
 */
export async function nameAuthors(
  environment: ChosenEnvironment,
  authors: readonly (string | null)[],
): Promise<NameOf> {
  const names = new Map<string, string>()
  if (authors.some((author) => author?.startsWith('client:')))
    for (const { id, name } of await listClients(environment).catch(noneRefused)) names.set(`client:${id}`, name)
  return (author) => (author === null ? 'somebody' : (names.get(author) ?? author.replace(':', ' ')))
}

/** The clients of the environment, at most a thousand of them. Raises the server's refusal. */
export async function listClients(environment: ChosenEnvironment): Promise<{ id: string; name: string }[]> {
  const { clients } = adminClient(environment, 'admin.clients:read')
  return (await listFirst(mostClients, (page) => clients.list.query(page))).items
}

function noneRefused(error: unknown): never[] {
  if (error instanceof Problem) return []
  throw error
}
