import { maxFileBytes } from './decoding.ts'
import type { FileRefusal, RefusalRule } from './refusals.ts'

/** The most files that one catalog directory may have, and the most bytes that they may hold together. */
export const maxFiles = 10_000
export const maxCatalogBytes = maxFileBytes
export const maxFolderDepth = 32

/** What is said of a path that cannot be part of a catalog. */
export const pathRefusals = {
  controlCharacter: 'Its name holds a control character; rename it.',
  deep: `Folders are nested deeper than ${maxFolderDepth}.`,
  leadsNowhere: 'It is a link that leads nowhere; remove it.',
  leadsOut: 'It is a link out of the catalog directory; copy the file into it.',
  notAFile: 'It is a device, pipe or socket, not a file; what comes on stdin is read as "-".',
  tooMany: `There are more than ${maxFiles} catalog files; put several items into a file.`,
  tooMuch: `With it the catalog holds more than ${maxCatalogBytes} bytes (64 MiB); leave some of it out.`,
} as const

/** Whether a file of that name is read as a part of a catalog. */
export const isCatalogName = (name: string) => /\.(?:yaml|yml|json)$/i.test(name)

/** Whether a file or folder of that name is passed over: hidden, or installed packages. */
export const isSkipped = (name: string) => name.startsWith('.') || name === 'node_modules'

export const hasControlCharacter = (name: string) => /\p{Cc}/u.test(name)

/** Notes why a path is not read; `.` is the directory itself. */
export function refusePath(refusals: FileRefusal[], file: string, message: string, rule: RefusalRule = 'path'): void {
  refusals.push({ file, rule, message, line: 1, col: 1, endLine: 1, endCol: 1 })
}
