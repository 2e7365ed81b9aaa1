import manifest from '../package.json' with { type: 'json' }

/** The version of this licet, as its package says. */
export const version: string = manifest.version
