import type { ValidateFunction } from 'ajv/dist/2020.js'

/**
 * Checks that a build has made (build.config.ts), by what they check: a kind, or what is around the items. Compiling them took a
 * third of what a command needs for a small catalog. From the sources there are none, and each is compiled when it is first needed.
 */
export const checksBeforehand: Readonly<Record<string, ValidateFunction>> = {}
