import { visible } from './visible-text.ts'

/** A word of a command that somebody may copy, as a shell takes it: quoted where it holds anything that a shell would read. */
export const shellWord = (text: string) =>
  /^[\w./:@=+,^-]+$/.test(text) ? text : `'${visible(text).replaceAll("'", `'\\''`)}'`
