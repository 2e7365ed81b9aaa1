import { isSameMember, memberIdentity, memberName, pathSegment } from '../member-names.ts'
import { type Fields, type Form, type FormOf, type FormSchema, type Notes, sameMembers, sameValue } from './form.ts'
import { inCanonicalOrder, keepingOrder } from './member-order.ts'
import type { Place } from './place.ts'

/** A list whose members have names: merged and compared by name, never by position; what only the stored list has is kept. */
export function namedListForm(schema: FormSchema, formOf: FormOf): Form {
  const inner = formOf(schema.items!)
  const nameFields = schema['x-named-by']!
  const sortField = schema['x-sorted-by']
  const ownOrder = schema['x-keeps-order'] === true
  const identityOf = (member: unknown) => memberIdentity(nameFields, member as Fields)
  const nameOf = (member: unknown) => memberName(nameFields, member as Fields)
  const at = (path: string, member: unknown) => `${path}/${pathSegment(nameOf(member))}`
  const byIdentity = (members: readonly unknown[]) => new Map(members.map((member) => [identityOf(member), member]))

  const inOrder = (members: unknown[]) => inCanonicalOrder(members, sortField, nameOf)

  const placeOf = (member: unknown, above: Place | undefined): Place => ({
    above,
    member: member as Fields,
    namedBy: nameFields,
  })
  /** A member's own place, where anything inside it can be noticed. */
  const placeFor = (member: unknown, above: Place | undefined) =>
    inner.isNoticing ? placeOf(member, above) : undefined

  /** The members of a list that stored nothing yet; of two that are named alike the first. */
  const completeAll = (given: readonly unknown[], above: Place | undefined, notes: Notes) => {
    const seen = new Set<string>()
    const merged: unknown[] = []
    for (const member of given) {
      if (seen.size === seen.add(identityOf(member)).size) notes.repeated(placeOf(member, above))
      else merged.push(inner.merge(undefined, member, placeFor(member, above), notes))
    }
    return ownOrder ? merged : inOrder(merged)
  }

  /** The members of a list that is given as it is stored, one by one. */
  const mergeAligned = (
    stored: readonly unknown[],
    given: readonly unknown[],
    above: Place | undefined,
    notes: Notes,
  ) => stored.map((member, index) => inner.merge(member, given[index], placeFor(member, above), notes))

  const mergeByName = (
    stored: readonly unknown[],
    given: readonly unknown[],
    above: Place | undefined,
    notes: Notes,
  ) => {
    const wanted = new Map<string, unknown>()
    for (const member of given) {
      const identity = identityOf(member)
      if (wanted.has(identity)) notes.repeated(placeOf(member, above))
      wanted.set(identity, member)
    }
    let shared = 0
    const merged = stored.map((member) => {
      const change = wanted.get(identityOf(member))
      if (change === undefined) {
        notes.kept(placeOf(member, above))
        return member
      }
      shared++
      return inner.merge(member, change, placeFor(member, above), notes)
    })
    if (shared < wanted.size) {
      const has = new Set(stored.map(identityOf))
      for (const [identity, member] of wanted)
        if (!has.has(identity)) merged.push(inner.merge(undefined, member, placeFor(member, above), notes))
    }
    if (!ownOrder) return inOrder(merged)
    const named = byIdentity(merged)
    return keepingOrder(stored.map(identityOf), [...wanted.keys()]).map((identity) => named.get(identity))
  }

  const isAligned = (stored: readonly unknown[], given: readonly unknown[]) =>
    stored.length === given.length &&
    stored.every((member, index) => isSameMember(nameFields, member as Fields, given[index] as Fields))

  return {
    isNoticing: true,
    merge(before, given, place, notes) {
      if (given === undefined || given === null) return before === undefined ? [] : before
      const wanted = given as unknown[]
      if (before === undefined) return wanted.length === 0 ? [] : completeAll(wanted, place, notes)
      const stored = before as unknown[]
      if (!isAligned(stored, wanted)) {
        const after = mergeByName(stored, wanted, place, notes)
        return sameMembers(stored, after) ? before : after
      }
      const after = mergeAligned(stored, wanted, place, notes)
      if (sameMembers(stored, after)) return before
      return ownOrder ? after : inOrder(after)
    },
    changes(before, after, path, report) {
      if (before === after) return
      const [old, now] = [byIdentity(before as unknown[]), byIdentity(after as unknown[])]
      for (const [identity, member] of old)
        if (!now.has(identity)) report({ path: at(path, member), before: member, after: null })
      for (const [identity, member] of now) {
        if (old.has(identity)) inner.changes(old.get(identity), member, at(path, member), report)
        else report({ path: at(path, member), before: null, after: member })
      }
      if (!ownOrder) return
      const [oldOrder, newOrder] = [
        [...old].filter(([identity]) => now.has(identity)).map(([, member]) => nameOf(member)),
        [...now].filter(([identity]) => old.has(identity)).map(([, member]) => nameOf(member)),
      ]
      if (!sameValue(oldOrder, newOrder)) report({ path, before: oldOrder, after: newOrder })
    },
  }
}
