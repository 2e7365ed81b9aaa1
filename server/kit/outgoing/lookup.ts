import { lookup, Resolver } from 'node:dns/promises'
import { isIPv6, type LookupFunction } from 'node:net'
import { NamedFailure, notPublic } from './failures.ts'

/** The addresses of a host name, in the order in which they are tried; none, or a rejection, when it has none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>

/** As this machine knows names: those of its own network, too. */
export const resolveHere: Resolve = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address)

/** As DNS knows names. Unlike the machine's own way this holds no thread while it waits: a name that nobody answers for delays no other. */
export const resolvePublicly: Resolve = async (hostname) => {
  // Each time anew: it asks the nameservers that the machine had when it was made.
  const resolver = new Resolver({ timeout: 3000, tries: 2 })
  const families = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  return families.flatMap((found) => (found.status === 'fulfilled' ? found.value : []))
}

/** Finds the addresses to connect to, the very ones that were looked at; fails when any of a name's will not do. */
export const checkedLookup =
  (resolve: Resolve, isAllowed: (address: string) => boolean): LookupFunction =>
  (hostname, options, callback) => {
    const fail = (message: string) => callback(new NamedFailure(message), '')
    resolve(hostname).then(
      (addresses) => {
        if (addresses.length === 0) return fail('the name could not be resolved')
        if (!addresses.every(isAllowed)) return fail(notPublic)
        const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
        if (options.all) callback(null, found)
        else callback(null, found[0]!.address, found[0]!.family)
      },
      () => fail('the name could not be resolved'),
    )
  }
