import type { FastifyRequest } from 'fastify'
import type { SecurityEvent } from '../../vocabulary/security-events.ts'
import { correlationIdOf } from './correlation.ts'
import { loggedCaller } from './logged-caller.ts'
import { operationNameOf } from './operation.ts'

/** What a security line says beside who asked whom: ids, names from our own lists and our own words; never a secret or a token. */
export interface SecurityFacts {
  operation?: string | undefined
  /** The client that a request says it is from, as long as nothing better is known. */
  client?: string | undefined
  /** The code of the refusal. */
  reason?: string
  detail?: string
  /** The id of the record that was changed. */
  subject?: string
  replayed?: boolean
}

/** Writes one line about a refusal or a deed that matters for security: a warning when somebody was refused. */
export function logSecurity(request: FastifyRequest, event: SecurityEvent, facts: SecurityFacts): void {
  const { licet } = request
  request.log[facts.reason === undefined ? 'info' : 'warn'](
    {
      security: event,
      correlationId: correlationIdOf(request),
      tenant: licet?.tenant.slug,
      operation: operationNameOf(request),
      ...facts,
      ...loggedCaller(licet?.caller),
    },
    event.replaceAll('_', ' '),
  )
}
