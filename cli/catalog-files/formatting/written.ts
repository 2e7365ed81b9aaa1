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
  notes: readonly string[]
  /** Comments after the last member of a collection. */
  tail: readonly string[]
  /** The column of a block collection's members; -1 for a flow collection or a scalar. */
  column: number
  /** Text that was folded by hand, which keeps its line breaks. */
  folded: BlockText | undefined
}

/** An entry of a list, or of a mapping under its name, with the comments above it. */
export interface Member {
  name: string
  lead: readonly string[]
  written: Written
}

/** No comments: one list for all, since most values have none. */
export const noComments: readonly string[] = []

export const writtenScalar = (scalar: Scalar, folded?: BlockText): Written => ({
  scalar,
  members: undefined,
  isList: false,
  notes: noComments,
  tail: noComments,
  column: -1,
  folded,
})

export const writtenCollection = (isList: boolean, members: Member[], column = -1): Written => ({
  scalar: null,
  members,
  isList,
  notes: noComments,
  tail: noComments,
  column,
  folded: undefined,
})

/** A value that no file holds yet: no comments. Fields that are undefined are left out. */
export function writtenOf(value: unknown): Written {
  if (typeof value !== 'object' || value === null) return writtenScalar((value ?? null) as Scalar)
  const members: Member[] = []
  if (Array.isArray(value))
    for (const entry of value) members.push({ name: '', lead: noComments, written: writtenOf(entry) })
  else
    for (const [name, field] of Object.entries(value))
      if (field !== undefined) members.push({ name, lead: noComments, written: writtenOf(field) })
  return writtenCollection(Array.isArray(value), members)
}

/** What is written, as a plain value. */
export function plainValue({ members, isList, scalar }: Written): unknown {
  if (members === undefined) return scalar
  if (isList) return members.map(({ written }) => plainValue(written))
  return Object.fromEntries(members.map(({ name, written }) => [name, plainValue(written)]))
}

/** Whether a value reads as what is written: the same, whatever the order of its fields. */
export function readsAs({ members, isList, scalar }: Written, value: unknown): boolean {
  if (members === undefined) return value === scalar
  if (typeof value !== 'object' || value === null || Array.isArray(value) !== isList) return false
  const fields = value as Record<string, unknown>
  if (Object.keys(fields).length !== members.length) return false
  return members.every(
    ({ name, written }, index) =>
      (isList || Object.hasOwn(fields, name)) && readsAs(written, isList ? fields[index] : fields[name]),
  )
}
