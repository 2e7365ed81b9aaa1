import type { Draw } from './draw.ts'
import type { Known } from './known.ts'

type Json = ReturnType<typeof JSON.parse>

/** One request to each world, in the names that both have in common. */
export interface Step {
  operation: string
  input?: Json
  /** The token that it is asked with; that of the tenant's client unless it says otherwise. */
  token?: string
  headers?: Record<string, string>
}

/** A kind of step: how often it is drawn, and how from what is known; undefined where nothing is known to do it with. */
export interface StepKind {
  operation: string
  weight: number
  draw(draw: Draw, known: Known): Omit<Step, 'operation'> | undefined
  /** What is to be remembered of its success beside the records that operations answer by themselves. */
  learn?(known: Known, answer: Json, input: Json): void
}

type Body = (draw: Draw, known: Known) => Json | undefined

export const stepKind = (
  operation: string,
  weight: number,
  input: Body = () => ({}),
  learn?: StepKind['learn'],
): StepKind => ({
  operation,
  weight,
  draw(draw, known) {
    const drawn = input(draw, known)
    return drawn && { input: drawn }
  },
  ...(learn && { learn }),
})

/** A step about one record, mostly one that it may be done with: its id, and what else the input has. */
export const onOne = (
  operation: string,
  weight: number,
  more: Body = () => ({}),
  {
    kind = kindOf(operation),
    id = 'id',
    isOne,
  }: { kind?: string; id?: string; isOne?: (record: Json) => boolean } = {},
): StepKind =>
  stepKind(operation, weight, (draw, known) => {
    const found = (isOne && draw.chance(0.85) && known.one(kind, isOne)?.id) || known.id(kind)
    return found === undefined ? undefined : { [id]: found, ...more(draw, known) }
  })

/** The steps that every collection has: records made, edited, written anew, read and deleted. */
export const collection = (kind: string, weight: number, body: Body): StepKind[] => {
  const edit: Body = (draw, known) => withoutFixed(draw, body(draw, known))
  return [
    stepKind(`${kind}.create`, weight, body),
    onOne(`${kind}.update`, weight * 0.6, (draw, known) => someOf(draw, edit(draw, known))),
    onOne(`${kind}.replace`, weight * 0.2, edit),
    onOne(`${kind}.get`, weight * 0.2),
    onOne(`${kind}.delete`, weight * 0.08),
  ]
}

/** A body mostly without what is fixed when a record is made. */
function withoutFixed(draw: Draw, body: Json = {}): Json {
  const { productId, suiteId, scope, ...rest } = body
  return draw.chance(0.95) ? rest : body
}

/** Some fields of a body. */
function someOf(draw: Draw, body: Json = {}): Json {
  const share = draw.oneOf([0.15, 0.5])
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined && draw.chance(share)))
}

/** What a record is remembered under: the operation without its verb. */
export const kindOf = (operation: string): string => operation.slice(0, operation.lastIndexOf('.'))

/** What a user files is a record of the back office. */
const filed: Record<string, string> = {
  'consumer.feedback': 'admin.feedback',
  'consumer.dataSubjectRequests': 'admin.dataSubjectRequests',
  'consumer.entitlements.planChangeRequests': 'admin.planChangeRequests',
}

/** Remembers the records that an answer tells of. */
export function learn(known: Known, { operation, input }: Step, answer: Json): void {
  const kind = filed[kindOf(operation)] ?? kindOf(operation)
  if (operation.endsWith('.delete')) known.forget(Object.values<string>(input).at(-1)!)
  if (operation === 'admin.tags.merge') known.forget(input.id)
  if (!answer) return
  // The client that asks keeps its scopes.
  if (kind === 'admin.clients' && answer.items) return
  if (typeof answer.id === 'string' && answer.id.startsWith('‹')) known.remember(kind, answer)
  if (operation.endsWith('.list')) for (const one of answer.items ?? []) if (one.id) known.remember(kind, one)
}
