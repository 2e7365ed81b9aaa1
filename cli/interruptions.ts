/**
 * What interrupts a command: Ctrl-C, a CI job that is cancelled, a terminal that is closed; each with its exit code, which is
 * 128 and the signal's number.
 */
export const exitCodeOf = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

export type Interruption = keyof typeof exitCodeOf
export const interruptions = Object.keys(exitCodeOf) as Interruption[]
