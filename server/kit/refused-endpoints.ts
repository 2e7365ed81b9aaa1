import type { RequestContext } from './context.ts'

/** Has the log tell that an endpoint is not asked and why, and of which record it is; never its address, which may hold a secret. */
export function tellRefusedEndpoint(answer: RequestContext['answer'], reason: string, subject?: string): void {
  answer.deeds ??= []
  answer.deeds.push({ event: 'endpoint_refused', reason, ...(subject && { subject }) })
}
