import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Candidate, ListValues } from './completing.ts'

/** The most bytes of catalog files that are parsed while somebody waits for a key. */
const maxParsedBytes = 8 * 1024 * 1024
const maxPaths = 2000

/** The values of a source, as the files here say them; none where they cannot be read. Nothing is asked of a server. */
export const listValues: ListValues = async (source, typed, positional) => {
  try {
    if (typeof source === 'object') return source.options.map((value) => ({ value }))
    if (source === 'environment') return await environments()
    if (source === 'side') return [...(await environments()), ...prefixes, ...(await paths(typed))]
    if (source === 'key') return await keys(typed, positional[0])
    if (source === 'field') return await fields(typed)
    if (source === 'kind') return await kinds()
    if (source === 'scope') return await scopes()
  } catch {
    // Whoever presses Tab wants candidates, not reasons.
  }
  return []
}

const prefixes = [
  { value: 'git:', description: 'a git revision, as git:REV:DIRECTORY' },
  { value: 'env:', description: 'an environment' },
]

async function environments(): Promise<Candidate[]> {
  const [{ findProjectFile }, { readUserEnvironments }] = await Promise.all([
    import('../project-file.ts'),
    import('../environments/user-file.ts'),
  ])
  const [project, user] = await Promise.all([
    findProjectFile().catch(() => null),
    readUserEnvironments().catch(() => ({ environments: {} })),
  ])
  const known = { ...user.environments, ...project?.environments } as Record<string, { url: string }>
  return Object.entries(known).map(([value, { url }]) => ({ value, description: url }))
}

/** The kinds of keys until one is typed, then the keys of the catalog here. */
async function keys(typed: string, directory: string | undefined): Promise<Candidate[]> {
  const { prefixOf, kinds: all } = await import('../../catalog-schema/order.ts')
  if (!typed.includes(':')) return ['*', ...all.map((kind) => prefixOf[kind])].map((word) => ({ value: `${word}:` }))
  const [{ readCatalogSource }, { readSnapshot }, { locateItems }, { catalogDirectory }] = await Promise.all([
    import('../catalog-files/directory.ts'),
    import('../catalog-files/snapshot-reading.ts'),
    import('../catalog-files/located-items.ts'),
    import('../sides/side.ts'),
  ])
  const source = await readCatalogSource(directory ?? (await catalogDirectory(undefined)))
  if (source.files.reduce((sum, { bytes }) => sum + bytes.length, 0) > maxParsedBytes) return []
  const items = locateItems(readSnapshot(source)).filter(({ key }) => key.startsWith(typed))
  return items.map(({ key, item }) => ({
    value: key,
    ...(typeof item.name === 'string' && { description: item.name }),
  }))
}

/** Kinds until a dot is typed, then the fields at that depth. */
async function fields(typed: string): Promise<Candidate[]> {
  const { findField, findKind } = await import('../../catalog-schema/fields.ts')
  const path = typed.split('.')
  const [word = '', ...names] = path.slice(0, -1)
  const kind = findKind(path.length === 1 ? typed : word)
  if (kind === undefined) return kinds()
  const owner = findField(kind, path.length === 1 ? [] : names)
  const prefix = path.length === 1 ? typed : path.slice(0, -1).join('.')
  const inner = owner?.fields ?? []
  const own = path.length === 1 ? [{ value: typed }] : []
  return [...own, ...inner.map(({ name, description }) => ({ value: `${prefix}.${name}`, description }))]
}

async function kinds(): Promise<Candidate[]> {
  const { findField, findKind, kindWords } = await import('../../catalog-schema/fields.ts')
  return kindWords.map((value) => ({ value, description: findField(findKind(value)!, [])!.description }))
}

async function scopes(): Promise<Candidate[]> {
  const { listScopes } = await import('../tasks/clients.ts')
  return (await listScopes()).map(({ scope, opens }) => ({ value: scope, description: opens }))
}

/** What the directory of a path holds: directories with a slash, and catalog files. */
async function paths(typed: string): Promise<Candidate[]> {
  const folder = typed.endsWith('/') ? typed : dirname(typed) === '.' ? '' : `${dirname(typed)}/`
  const entries = await readdir(join(process.cwd(), folder || '.'), { withFileTypes: true })
  return entries
    .filter((entry) => !entry.name.startsWith('.'))
    .filter((entry) => entry.isDirectory() || /\.(?:ya?ml|json)$/i.test(entry.name))
    .slice(0, maxPaths)
    .map((entry) => ({ value: `${folder}${entry.name}${entry.isDirectory() ? '/' : ''}` }))
}
