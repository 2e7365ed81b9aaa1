import type { Static, TObject, TSchema } from 'typebox'
import type { ProblemName } from '../vocabulary/problems.ts'
import type { Audience, ScopeVerb } from '../vocabulary/scopes.ts'
import type { SecurityEvent } from '../vocabulary/security-events.ts'

/** Who may call: a client whose token has this scope, an application with its license token, a signed-in end user, or anyone. */
export type Access = Scope | 'session' | 'user' | 'anyone'
export type Scope = `${Audience}.${string}:${ScopeVerb | 'write'}`

/** One operation: its wire shapes, where it stands, who may call it and how it may refuse. Procedures, routes and the reference follow from it. */
export interface Contract {
  /** Where the procedure stands in the router, such as `admin.tags.merge`. */
  name: string
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** Relative to a tenant's base URL; path parameters as `{id}`. */
  path: string
  access: Access
  /** The tokens that it takes where either of two will do; its `access` is then anyone's. */
  eitherToken?: readonly [Exclude<Access, 'anyone'>, Exclude<Access, 'anyone'>]
  summary: string
  description?: string
  params?: TObject
  query?: TObject
  body?: TSchema
  /** The input's field that the body becomes as a whole; without one, the body's fields are the input's. */
  bodySlot?: string
  /** Refuses a body for what it says of itself, before its fields are looked at. */
  refuseBody?: (body: unknown) => void
  /** How the body is written; JSON unless it says otherwise. */
  bodyEncoding?: 'form'
  /** The shape of the 200 answer; without one the answer is 204. */
  answer?: TSchema
  /** Over REST the answer is this field of it alone, as this media type, unless the caller would rather have JSON. */
  plain?: { field: string; type: string }
  /** Lists of a heavy operation's answer, all of one shape: asked with `format=csv`, REST answers their items alone, as text/csv. */
  csvLines?: readonly string[]
  /** The names that `filter` and `sortOrder` accept, for the reference. */
  filterable?: readonly string[]
  /** Those of them that `sortOrder` does not accept: lists. */
  notSortable?: readonly string[]
  /** Refusals beside those every operation can give. */
  problems?: readonly ProblemName[]
  /** Those of them that are answered with 400, whatever their own status is. */
  answered400?: readonly ProblemName[]
  /** Heavy operations run on a thread of their own and take bodies of up to 64 MiB. */
  lane?: 'heavy'
  /** It may go through very many rows, as every list may. */
  readsMuch?: boolean
  /** It only reads, though it is asked by POST: no Idempotency-Key is looked at. */
  changesNothing?: boolean
  /** A live tenant does not have it, and answers 404 whatever is asked; of what, in words. */
  ofSandbox?: string
  /** It takes a record as it was read: what is answered and not written is left out of it. */
  takesAsRead?: boolean
  /** It may erase what a record said: the audit log keeps that it was done, and nothing of what was there. */
  isErasing?: boolean
  /** The kind of record that it makes or reads, as the audit log names it, where the operation's name says another. */
  recordKind?: string
  /** What the log tells when it succeeded, of the record in its answer. */
  securityEvent?: SecurityEvent
}

type PartOf<T> = T extends TObject ? Static<T> : unknown
type BodyOf<B, Slot> = B extends TSchema ? (Slot extends string ? { [K in Slot]: Static<B> } : Static<B>) : unknown

/** The one input that path, query and body become. */
export type InputOf<C extends Contract> = PartOf<C['params']> & PartOf<C['query']> & BodyOf<C['body'], C['bodySlot']>

/** What the operation answers with. */
export type AnswerOf<C extends Contract> = C['answer'] extends TSchema ? Static<C['answer']> : undefined

/** Declares an operation; the types of its input and answer follow. */
export const contract = <const C extends Contract>(declared: C): C => declared

/** Whether an Idempotency-Key is honoured: wherever something is changed, but for the token endpoint, which OAuth describes. */
export const isKeyed = ({ method, bodyEncoding, changesNothing }: Contract) =>
  method !== 'GET' && bodyEncoding !== 'form' && !changesNothing

export const provision = '/api/v1/provision'
