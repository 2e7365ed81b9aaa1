import { sameValue } from '../../../catalog-schema/form.ts'

/** What becomes of a list: which elements stay, in which order, and what is put in after each. */
export interface ListChange {
  /** The places of the elements that stay, in the order in which they are to stand. */
  kept: number[]
  /** Which member of the wanted list each of them is to be; by place. */
  becomes: Map<number, number>
  /** The wanted members put in after the element at a place, -1 standing for the list's beginning. */
  added: Map<number, number[]>
}

/** By identity: who is wanted stays in its place, the others go, and a new one follows the one it is wanted after. */
export function changeByIdentity(given: readonly string[], wanted: readonly string[], ownOrder: boolean): ListChange {
  const places = new Map<string, number>()
  for (const [place, identity] of given.entries()) if (!places.has(identity)) places.set(identity, place)
  const wantedAt = new Map(wanted.map((identity, index) => [identity, index]))
  const kept = [...given.keys()].filter((place) => wantedAt.has(given[place]!))
  const becomes = new Map<number, number>()
  for (const [identity, index] of wantedAt) {
    const place = places.get(identity)
    if (place !== undefined) becomes.set(place, index)
  }
  const added = new Map<number, number[]>()
  let last = -1
  for (const [index, identity] of wanted.entries()) {
    const place = places.get(identity)
    if (place !== undefined) last = place
    else added.set(last, [...(added.get(last) ?? []), index])
  }
  if (ownOrder) kept.sort((a, b) => wantedAt.get(given[a]!)! - wantedAt.get(given[b]!)!)
  return { kept, becomes, added }
}

/** The most pairs of elements that are compared to find what stayed; longer lists are compared from both ends. */
const mostPairs = 250_000

/** By value, for lists that are one value: elements that are alike on both sides stay, others become one another in turn. */
export function changeByValue(given: readonly unknown[], wanted: readonly unknown[]): ListChange {
  const change: ListChange = { kept: [], becomes: new Map(), added: new Map() }
  let [from, to] = [0, 0]
  const pairUp = (givenEnd: number, wantedEnd: number) => {
    for (; from < givenEnd && to < wantedEnd; from++, to++) {
      change.kept.push(from)
      change.becomes.set(from, to)
    }
    const rest = Array.from({ length: wantedEnd - to }, (_, index) => to + index)
    if (rest.length > 0) change.added.set(change.kept.at(-1) ?? -1, rest)
    from = givenEnd
    to = wantedEnd
  }
  for (const [place, index] of alikePairs(given, wanted)) {
    pairUp(place, index)
    change.kept.push(place)
    change.becomes.set(place, index)
    from = place + 1
    to = index + 1
  }
  pairUp(given.length, wanted.length)
  return change
}

/** Pairs of alike elements in the order of both lists, as many as there can be. */
function alikePairs(given: readonly unknown[], wanted: readonly unknown[]): [number, number][] {
  let head = 0
  while (head < Math.min(given.length, wanted.length) && sameValue(given[head], wanted[head])) head++
  let tail = 0
  const most = Math.min(given.length, wanted.length) - head
  while (tail < most && sameValue(given[given.length - 1 - tail], wanted[wanted.length - 1 - tail])) tail++
  const pairs: [number, number][] = Array.from({ length: head }, (_, index) => [index, index])
  const [rows, columns] = [given.length - head - tail, wanted.length - head - tail]
  if (rows > 0 && columns > 0 && rows * columns <= mostPairs) {
    const longest = Array.from({ length: rows + 1 }, () => new Uint32Array(columns + 1))
    const alike = (row: number, column: number) => sameValue(given[head + row], wanted[head + column])
    for (let row = rows - 1; row >= 0; row--)
      for (let column = columns - 1; column >= 0; column--)
        longest[row]![column] = alike(row, column)
          ? longest[row + 1]![column + 1]! + 1
          : Math.max(longest[row + 1]![column]!, longest[row]![column + 1]!)
    for (let row = 0, column = 0; row < rows && column < columns; ) {
      if (alike(row, column)) pairs.push([head + row++, head + column++])
      else if (longest[row + 1]![column]! >= longest[row]![column + 1]!) row++
      else column++
    }
  }
  for (let index = tail; index > 0; index--) pairs.push([given.length - index, wanted.length - index])
  return pairs
}
