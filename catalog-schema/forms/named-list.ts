import { memberIdentity, memberName, pathSegment } from '../member-names.ts'
import { type Fields, type Form, type FormOf, type FormSchema, sameMembers, sameValue } from './form.ts'
import { inCanonicalOrder, keepingOrder } from './member-order.ts'

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

  return {
    merge(before, given, path, notes) {
      if (given === undefined || given === null) return before === undefined ? [] : before
      const stored = (before as unknown[] | undefined) ?? []
      const wanted = new Map<string, unknown>()
      for (const member of given as unknown[]) {
        const identity = identityOf(member)
        if (wanted.has(identity)) notes.repeated(at(path, member), nameOf(member))
        wanted.set(identity, member)
      }
      const merged = new Map<string, unknown>()
      for (const member of stored) {
        const identity = identityOf(member)
        const given = wanted.get(identity)
        if (given === undefined) notes.kept(at(path, member))
        merged.set(identity, given === undefined ? member : inner.merge(member, given, at(path, member), notes))
      }
      for (const [identity, member] of wanted)
        if (!merged.has(identity)) merged.set(identity, inner.merge(undefined, member, at(path, member), notes))
      const after = ownOrder
        ? keepingOrder(stored.map(identityOf), [...wanted.keys()]).map((identity) => merged.get(identity))
        : inCanonicalOrder([...merged.values()], sortField, nameOf)
      return before !== undefined && sameMembers(stored, after) ? before : after
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
