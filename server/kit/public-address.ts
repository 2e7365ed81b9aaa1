import ipaddr from 'ipaddr.js'

/**
 * Not public either, though ipaddr.js has them as such: IPv4-compatible addresses (RFC 4291 §2.5.5.1), the dummy prefix (RFC
 * 9780), and the address at which Azure tells each of its machines about itself.
 */
const alsoReserved = ['::/96', '100:0:0:1::/64', '168.63.129.16/32'].map((range) => ipaddr.parseCIDR(range))

/** Whether an IP address is one of the public internet: none that is loopback, private, link-local, reserved or a way to such. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  // ipaddr.js takes the shortest way to write an IPv4-compatible address for one that is mapped.
  const address = ipaddr.process(text.replace(/^::(?=\d+\.)/, '0::'))
  const isReserved = alsoReserved.some((range) => range[0].kind() === address.kind() && address.match(range))
  return address.range() === 'unicast' && !isReserved
}

/** Whether a URL's host is this machine itself, by name or address. */
export function isLoopbackHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$|\.$/g, '').toLowerCase()
  return host === 'localhost' || (ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback')
}

/**
 * The network that a caller's address stands for where callers are counted: an IPv4 address, however it is written, is its
 * own; of IPv6 the first 64 bits, since whoever has one address has all of those.
 */
export function networkOf(text: string): string {
  if (!ipaddr.isValid(text)) return text
  const address = ipaddr.process(text)
  return address.kind() === 'ipv4' ? address.toString() : Buffer.from(address.toByteArray().slice(0, 8)).toString('hex')
}
