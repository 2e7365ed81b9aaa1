import { createHash } from 'node:crypto'

/** The longest name made from a code, without its ending. */
const longest = 80
/** Names that Windows keeps for devices, whatever their ending. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d|conin|conout|clock)(?:[.$]|$)/

/**
 * A file name for a code that is safe on every file system: lowercase letters, digits and `._@+-`, no more than 80,
 * starting with a letter, digit or `_`, and no device's name. Different codes may get the same name.
 */
export function fileNameFor(code: string): string {
  const plain = code
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9._@+-]+/g, '-')
    .replace(/^[-.+@]+/, '')
    .slice(0, longest)
    .replace(/[-.]+$/, '')
  return plain === '' || reserved.test(plain) ? `_${plain}` : plain
}

/** Names for codes of which no two are the same where letter case does not count: the later one gets a digest. */
export function createNaming(taken: Iterable<string>) {
  const used = new Set([...taken].map((name) => name.toLowerCase()))
  return (folder: string, code: string, ending: string): string => {
    const digest = createHash('sha256').update(code).digest('hex')
    const base = `${folder}${fileNameFor(code)}`
    const candidates = [base, ...[10, 20, 64].map((length) => `${base}~${digest.slice(0, length)}`)]
    const free = candidates.find((candidate) => !used.has(`${candidate}${ending}`.toLowerCase()))
    if (free === undefined) throw new Error(`no file name is left for ${JSON.stringify(code)}`)
    used.add(`${free}${ending}`.toLowerCase())
    return `${free}${ending}`
  }
}
