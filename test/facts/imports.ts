import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** The repository. */
export const root = join(import.meta.dirname, '../..')

/** One import of a file, as written. */
export interface Import {
  /** The importing file, from the root. */
  from: string
  line: number
  /** The imported file from the root, or a package or `node:` name. */
  to: string
  isOurs: boolean
  /** Nothing is left of it when types are stripped. */
  isTypeOnly: boolean
  /** Loaded when the line is reached, not when the file is. */
  isDynamic: boolean
}

/** The TypeScript files under a directory of ours, from the root, in order. */
export const sourcesIn = (directory: string): string[] =>
  readdirSync(join(root, directory), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(directory, file))
    .sort()

const statement = /^(?:import|export)(?<type> type)?\s+(?:(?<names>[\w\s{},*$]+?)\s+from\s+)?'(?<target>[^']+)'/gm
const dynamic = /\b(?:import\(|new URL\()\s*'(?<target>\.{1,2}\/[^']+\.ts)'/g

/** Every import of a file: statements, re-exports, `import()` and files named for a worker. */
function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8')
  return [statement, dynamic].flatMap((pattern) =>
    [...text.matchAll(pattern)].map((match) => {
      const { target, type, names } = match.groups as { target: string; type?: string; names?: string }
      const isOurs = target.startsWith('.')
      return {
        from: file,
        line: text.slice(0, match.index).split('\n').length,
        to: isOurs ? relative(root, join(root, dirname(file), target)) : target,
        isOurs,
        isDynamic: pattern === dynamic,
        isTypeOnly: type !== undefined || (names !== undefined && /^\{(\s*type \w+( as \w+)?,?)+\s*\}$/.test(names)),
      }
    }),
  )
}

/** Every import of the files under these directories. */
export const importsIn = (...directories: string[]): Import[] => directories.flatMap(sourcesIn).flatMap(importsOf)
