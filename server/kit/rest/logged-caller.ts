import type { Caller } from '../context.ts'

/** Whom a line of the log names: the client, or the subscription that calls back. */
export const loggedCaller = (caller: Caller | undefined) =>
  caller?.kind === 'client'
    ? { client: caller.clientId }
    : caller?.kind === 'callback'
      ? { subscription: caller.subscriptionId }
      : {}
