import type { Caller } from '../context.ts'

/** Whom a line of the log names: the client, or the subscription that calls back. */
export function loggedCaller(caller: Caller | undefined): { client?: string; subscription?: string } {
  if (caller?.kind === 'client') return { client: caller.clientId }
  return caller?.kind === 'callback' ? { subscription: caller.subscriptionId } : {}
}
