import type { ParserOutput } from '@oclif/core/interfaces'

/** Whether one of these flags stands on the command line itself: its variable may well be set for another command. */
export const isTyped = (raw: ParserOutput['raw'], ...names: string[]): boolean =>
  raw.some((token) => token.type === 'flag' && names.includes(token.flag))
