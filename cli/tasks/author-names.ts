import type { ChosenEnvironment } from '../environments/choosing.ts'
import { Problem } from '../problems.ts'
import { serverClient } from '../server-client.ts'

const mostPages = 10

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
  const client = serverClient(environment, ['admin.clients:read'])
  const found: { id: string; name: string }[] = []
  for (let pageNumber = 1; pageNumber <= mostPages; pageNumber++) {
    const query = { pageSize: 100, pageNumber }
    const page = await client.callRest('GET', '/api/v1/provision/admin/clients', { query })
    const { items, hasNextPage } = page as { items: { id: string; name: string }[]; hasNextPage: boolean }
    found.push(...items)
    if (!hasNextPage) break
  }
  return found
}

function noneRefused(error: unknown): never[] {
  if (error instanceof Problem) return []
  throw error
}
