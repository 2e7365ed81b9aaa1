import pjson from '../package.json' with { type: 'json' }

/** The version of this licet. */
export const version = pjson.version
