import type { BlockText, Scalar } from './scalar-text.ts'

/**
 * A value as it is written in a file, with the comments that belong to it. Comments are lines that begin with `#`;
 * among them an empty line stands for one or more blank ones.
 */
export interface Written {
  /** Of a scalar, what it reads as. */
  scalar: Scalar
  /** Of a list or mapping, what it holds. */
  members: Member[] | undefined
  isList: boolean
  /** Comments behind a scalar on its line, or behind the key or dash of a collection. */
  notes: string[]
  /** Comments after the last member of a collection. */
  tail: string[]
  /** The column of a block collection's members; -1 for a flow collection or a scalar. */
  column: number
  /** Text that was folded by hand, which keeps its line breaks. */
  folded: BlockText | undefined
}

/** An entry of a list, or of a mapping under its name, with the comments above it. */
export interface Member {
  name: string
  lead: string[]
  written: Written
}

const blank = { scalar: null, members: undefined, isList: false, column: -1, folded: undefined }

export const writtenScalar = (scalar: Scalar): Written => ({ ...blank, scalar, notes: [], tail: [] })

export const writtenCollection = (isList: boolean, members: Member[], column = -1): Written => ({
  ...blank,
  isList,
  members,
  column,
  notes: [],
  tail: [],
})

/** A value that no file holds yet: no comments. Fields that are undefined are left out. */
export function writtenOf(value: unknown): Written {
  if (typeof value !== 'object' || value === null) return writtenScalar((value ?? null) as Scalar)
  const entries = Array.isArray(value) ? value.map((entry: unknown) => ['', entry] as const) : Object.entries(value)
  const members = entries
    .filter(([, field]) => field !== undefined)
    .map(([name, field]) => ({ name, lead: [], written: writtenOf(field) }))
  return writtenCollection(Array.isArray(value), members)
}

/** What is written, as a plain value. */
export function plainValue({ members, isList, scalar }: Written): unknown {
  if (members === undefined) return scalar
  if (isList) return members.map(({ written }) => plainValue(written))
  return Object.fromEntries(members.map(({ name, written }) => [name, plainValue(written)]))
}

/** Every comment in a value, in the order of reading. */
export function* commentsIn(written: Written): Generator<string> {
  yield* written.notes
  for (const member of written.members ?? []) {
    for (const line of member.lead) if (line !== '') yield line
    yield* commentsIn(member.written)
  }
  for (const line of written.tail) if (line !== '') yield line
}
