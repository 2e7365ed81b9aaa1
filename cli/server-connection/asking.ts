/**
 * What changes nothing though it is asked by POST: the token endpoint, and the operations whose contracts say so, by their
 * paths and by their names. A test holds this against the contracts.
 */
const asking = [
  /\/auth\/connect\/token$/,
  /\/api\/v1\/provision\/admin\/catalog\/compare$/,
  /\/api\/v1\/provision\/usage\/try-preallocate\/[^/]+\/[^/]+$/,
  /\/api\/v1\/provision\/activations\/admission\/check$/,
  /\/trpc\/(?:admin\.catalog\.compare|usage\.tryPreallocate|activations\.admission\.check)$/,
]

/** Whether a request changes nothing, however often it is sent. */
export const isAsking = (method: string, { pathname }: URL): boolean =>
  ['GET', 'HEAD', 'OPTIONS'].includes(method) || asking.some((path) => path.test(pathname))

/** What to do first where nobody knows whether a change was made. */
export const lookFirst = 'it may have been done all the same: look first, then try again'

/** What to try where a request came to no answer. */
export const againAfter = (method: string, url: URL): string => (isAsking(method, url) ? 'try again' : lookFirst)
