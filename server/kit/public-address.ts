import ipaddr from 'ipaddr.js'

/** Whether an IP address is one of the public internet: none that is loopback, private, link-local, reserved or a way to such. */
export const isPublicAddress = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast'

/** Whether a URL's host is this machine itself, by name or address. */
export function isLoopbackHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$|\.$/g, '').toLowerCase()
  return host === 'localhost' || (ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback')
}
