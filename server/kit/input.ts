import { compileCheck, type Finding } from '../../catalog-schema/checker.ts'
import { pathSegment } from '../../catalog-schema/member-names.ts'
import { Closed } from '../../catalog-schema/shapes.ts'
import { asRounded } from '../../catalog-schema/strict-json.ts'
import type { Contract } from './contract.ts'
import { type FieldError, invalid, recordNotFound } from './problem.ts'

/** Path, query and body as they came apart on the wire, so that an error can point into the right one. */
export class SplitInput {
  readonly params: Record<string, unknown>
  readonly query: Record<string, unknown>
  readonly body: unknown
  readonly asDoubles: AsDoubles
  constructor(
    params: Record<string, unknown>,
    query: Record<string, unknown>,
    body: unknown,
    asDoubles: AsDoubles = { body: asRounded(body) },
  ) {
    this.params = params
    this.query = query
    this.body = body
    this.asDoubles = asDoubles
  }
}

/** A call's one object, as tRPC has it. */
export class PlainInput {
  readonly value: unknown
  readonly asDoubles: unknown
  constructor(value: unknown, asDoubles = asRounded(value)) {
    this.value = value
    this.asDoubles = asDoubles
  }
}

/** The same with every number as a double, where that is not what was sent: see `asRounded`. */
interface AsDoubles {
  query?: unknown
  body?: unknown
}

/** Reads an operation's raw input into its checked, canonical form; throws the validation problem with every error. */
export function inputReader<Input>(contract: Contract): (raw: SplitInput | PlainInput) => Input {
  const checkParams = compileCheck(contract.params ?? Closed({}))
  const checkQuery = compileCheck(contract.query ?? Closed({}))
  const checkBody = contract.body && compileCheck(contract.body)
  const isAnswered = answeredAlone(contract)
  return (raw) => {
    const split = raw instanceof SplitInput ? raw : splitPlain(contract, raw)
    // What is checked may be made canonical in place. Nothing unchecked becomes part of the input, not even a stray query parameter.
    const boxed = { params: split.params, query: split.query, body: split.body === undefined ? {} : split.body }
    const idErrors = contract.takesAsRead ? otherIdErrors(boxed) : []
    const isAsRead = contract.takesAsRead && leaveOutAnswered(boxed.body, contract.body, contract.answer)
    const paramErrors = checkParams(boxed.params)
    // A path that cannot name a record names none: there is nothing to correct in the request. A call can leave a name out.
    if (paramErrors.length > 0) {
      const isNamed = Object.keys(contract.params?.properties ?? {}).every(
        (name) => typeof split.params[name] === 'string',
      )
      throw isNamed ? recordNotFound('record') : invalid(paramErrors.map(fieldError))
    }
    contract.refuseBody?.(boxed.body)
    const parameterErrors = (query: unknown) =>
      checkQuery(query)
        .map(fieldError)
        .map(({ pointer, message }) => ({ pointer: pointer.slice(1), message }))
    const errors = findExactly(parameterErrors, boxed.query, split.asDoubles.query).concat(idErrors)
    if (checkBody) {
      const check = (body: unknown) =>
        checkBody(body)
          .map(fieldError)
          .map(({ pointer, message }) => ({ pointer, message: isAnswered(pointer) ? readOnly : message }))
      const asDoubles = split.asDoubles.body
      if (asDoubles !== undefined && contract.takesAsRead) leaveOutAnswered(asDoubles, contract.body, contract.answer)
      errors.push(...findExactly(check, boxed.body, asDoubles))
    } else if (!isEmpty(split.body)) errors.push({ pointer: '', message: 'this operation takes no body' })
    if (errors.length > 0) throw invalid(errors)
    const { params, query, body } = boxed
    const taken = contract.bodySlot ? { [contract.bodySlot]: body } : (body as object)
    return { ...params, ...query, ...taken, ...(isAsRead && { [asRead]: true }) } as Input
  }
}

/**
 * What a check finds of a value. A number that a double would round has come as text: where no number may stand it is refused
 * as what it was.
 */
export function findExactly(check: (value: unknown) => FieldError[], value: unknown, asDoubles: unknown): FieldError[] {
  const misplaced = asDoubles === undefined ? [] : check(asDoubles).filter(isNoNumbersPlace)
  return misplaced.length > 0 ? misplaced : check(value)
}

const isNoNumbersPlace = ({ message }: FieldError) => message.endsWith(', not a number')

/** A finding at the field that it is about, a field that is not there among them. */
export const fieldError = ({ pointer, message, missing }: Finding): FieldError =>
  missing === undefined
    ? { pointer, message }
    : { pointer: `${pointer}/${pathSegment(missing)}`, message: 'is missing' }

interface Shape {
  properties?: Record<string, Shape>
  items?: Shape
}

const asRead = Symbol('as it was read')

/** Whether a request's body, as its procedure has it, was that of a record as it was read: something was left out of it. */
export const wasRead = (body: object): boolean => asRead in body

/** A record as an operation that answers with such takes it: what is answered and not written is left out. */
export function asTaken({ body, answer }: Contract, record: object): Record<string, unknown> {
  const taken = structuredClone(record)
  leaveOutAnswered(taken, body, answer)
  return taken as Record<string, unknown>
}

/**
 * What is answered and not written is left out of a record, and of what it holds; any other field that is not known stays,
 * to be refused. Tells whether there was anything.
 */
function leaveOutAnswered(value: unknown, taken: Shape | undefined, answered: Shape | undefined): boolean {
  if (typeof value !== 'object' || value === null || !taken || !answered) return false
  let isLess = false
  if (Array.isArray(value))
    for (const one of value) isLess = leaveOutAnswered(one, taken.items, answered.items) || isLess
  else if (taken.properties && answered.properties)
    for (const [name, inner] of Object.entries(value)) {
      if (Object.hasOwn(taken.properties, name))
        isLess = leaveOutAnswered(inner, taken.properties[name], answered.properties[name]) || isLess
      else if (Object.hasOwn(answered.properties, name)) {
        delete (value as Record<string, unknown>)[name]
        isLess = true
      }
    }
  return isLess
}

/** What is wrong with the id of a record that comes back as it was read: it is that of another than the path names. */
function otherIdErrors({ params, body }: { params: Record<string, unknown>; body: unknown }): FieldError[] {
  const { id } = (body ?? {}) as { id?: unknown }
  if (id === undefined || id === null || String(id).toLowerCase() === String(params.id).toLowerCase()) return []
  return [{ pointer: '/id', message: 'is another id than the one in the path' }]
}

const readOnly = 'is read-only: leave it out'

/** Tells of a pointer into the body whether it names a field that the operation answers with and does not take. */
function answeredAlone({ body, answer }: Contract): (pointer: string) => boolean {
  const [taken, answered] = [body, answer].map((schema) => (schema as { properties?: object } | undefined)?.properties)
  const pointers = new Set(Object.keys(answered ?? {}).filter((name) => taken && !Object.hasOwn(taken, name)))
  return (pointer) => pointers.has(pointer.slice(1))
}

const isEmpty = (body: unknown) =>
  body === undefined ||
  (typeof body === 'object' && body !== null && !Array.isArray(body) && Object.keys(body).length === 0)

/** A call's one object, taken apart. */
function splitPlain(contract: Contract, { value, asDoubles }: PlainInput): SplitInput {
  if (value === undefined || value === null) return new SplitInput({}, {}, undefined, {})
  if (typeof value !== 'object' || Array.isArray(value))
    throw invalid([{ pointer: '', message: 'the input must be an object' }])
  const { params, query, body } = takeApart(contract, value)
  return new SplitInput(params, query, body, asDoubles === undefined ? {} : takeApart(contract, asDoubles as object))
}

/**
 * What a call's one object has by the names of path and query parameters; what is neither is of the body, if there is one: its
 * field of the input, or all that is left, as REST has it.
 */
function takeApart(contract: Contract, raw: object) {
  const params: Record<string, unknown> = {}
  const query: Record<string, unknown> = {}
  const rest: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(raw)) {
    if (Object.hasOwn(contract.params?.properties ?? {}, name)) params[name] = value
    else if (Object.hasOwn(contract.query?.properties ?? {}, name) || !contract.body) query[name] = value
    else rest[name] = value
  }
  const slot = contract.bodySlot
  if (slot === undefined || !Object.hasOwn(rest, slot))
    return { params, query, body: Object.keys(rest).length === 0 ? undefined : rest }
  const { [slot]: body, ...unknown } = rest
  const stray = Object.keys(unknown)[0]
  if (stray !== undefined) throw invalid([{ pointer: `/${stray}`, message: `there is no field "${stray}" here` }])
  return { params, query, body }
}
