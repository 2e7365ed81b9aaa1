import { relative, sep } from 'node:path'
import { isCatalogName, isSkipped } from '../catalog-files/catalog-paths.ts'
import { realPathOf } from '../workspace-paths.ts'

/** Whether who reads a catalog's directory would take the file at a path for one of its own. */
export function isReadWith(directory: string, path: string): boolean {
  const real = realPathOf(path)
  const parts = relative(realPathOf(directory), real).split(sep)
  return parts[0] !== '..' && parts[0] !== '' && isCatalogName(real) && !parts.some(isSkipped)
}

/** A name here for the plan of a catalog, other than those that its directory takes for its own. */
export const planName = (directory: string) => (isReadWith(directory, 'plan.json') ? 'plan.licet' : 'plan.json')
