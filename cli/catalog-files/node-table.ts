/** How a node was written; the scalar styles carry the numbers of js-yaml's events. */
export const nodeForm = {
  empty: 0,
  plain: 1,
  singleQuoted: 2,
  doubleQuoted: 3,
  literal: 4,
  folded: 5,
  sequence: 6,
  mapping: 7,
  alias: 8,
} as const

export type NodeForm = (typeof nodeForm)[keyof typeof nodeForm]

/**
 * The nodes of a document in reading order, four numbers each. A mapping's children are its keys and values in turn.
 * `start` and `end` are offsets as the parser gives them (inside the quotes, without a block scalar's header, at the
 * last child for a collection); an empty node has the end of what stood before it. `next` is the node after the subtree.
 */
export interface NodeTable {
  count: number
  form: Uint8Array
  start: Int32Array
  end: Int32Array
  next: Int32Array
}

/** An empty table with room for the given number of nodes. */
export function createNodeTable(capacity: number): NodeTable {
  return {
    count: 0,
    form: new Uint8Array(capacity),
    start: new Int32Array(capacity),
    end: new Int32Array(capacity),
    next: new Int32Array(capacity),
  }
}

/** Appends a node that ends where it is told; a collection is closed later with `closeNode`. */
export function addNode(table: NodeTable, form: NodeForm, start: number, end: number): number {
  const node = table.count++
  table.form[node] = form
  table.start[node] = start
  table.end[node] = end
  table.next[node] = node + 1
  return node
}

/** Ends a collection after the node added last. */
export function closeNode(table: NodeTable, node: number, end: number): void {
  table.end[node] = end
  table.next[node] = table.count
}
