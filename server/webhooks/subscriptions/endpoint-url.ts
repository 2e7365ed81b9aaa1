import { isPublicAddress } from '../../kit/public-address.ts'

/** Where endpoints may be: anywhere, plain http too, or only in public, and not at the service's own addresses. */
export interface Surroundings {
  allowsPrivate: boolean
  ownOrigins: readonly string[]
}

const longest = 2000
/** Ports at which no web server listens, but a store or a queue that may take what is posted for commands of its own. */
const storePorts = new Set([1433, 1521, 3306, 3389, 5432, 5672, 6379, 9042, 9200, 11211, 27017])
const privateNames = /(?:^|\.)(?:localhost|local|internal|home\.arpa)$/

/** What is wrong with the URL of an endpoint, or nothing. What a name resolves to is looked at when it is connected to. */
export function explainEndpointUrl(text: string, { allowsPrivate, ownOrigins }: Surroundings): string | undefined {
  if (text.length > longest) return `must be at most ${longest.toLocaleString('en')} characters`
  if (!/^[\x21-\x7e]+$/.test(text) || text.includes('\\'))
    return 'must be written in printable ASCII characters, without blanks or backslashes'
  const schemes = allowsPrivate ? 'https:// or http://' : `https://${unlessAllowed}`
  if (!URL.canParse(text) || !(allowsPrivate ? /^https?:\/\/[^/]/i : /^https:\/\/[^/]/i).test(text))
    return `must be an absolute URL that begins with ${schemes}`
  const url = new URL(text)
  if (url.username !== '' || url.password !== '' || /^[^/?#]*\/\/[^/?#]*@/.test(text))
    return 'must name no user and no password'
  if (text.includes('#')) return 'must have no fragment'
  return allowsPrivate ? undefined : explainPlace(url, ownOrigins)
}

/** What a developer on this machine needs. */
const unlessAllowed = ', unless the server runs with --allow-private-webhooks'

function explainPlace(url: URL, ownOrigins: readonly string[]): string | undefined {
  const port = portOf(url)
  if (port !== 443 && port < 1024) return 'must be at port 443, or at one from 1024 on'
  if (storePorts.has(port)) return `must not be at port ${port}, which is a database's or a queue's`
  if (!isPublicHost(nameOf(url))) return `must be at a public address${unlessAllowed}`
  const isOwn = ownOrigins.map((own) => new URL(own)).some((own) => nameOf(own) === nameOf(url) && portOf(own) === port)
  return isOwn ? 'must not be this service itself' : undefined
}

/** Whether a name may be that of a public host, or an address, however it was written, is public. */
function isPublicHost(name: string): boolean {
  if (name.startsWith('[') || /^[\d.]+$/.test(name)) return isPublicAddress(name.replace(/^\[|\]$/g, ''))
  return name.includes('.') && !privateNames.test(name)
}

/** A URL's host, which is in lower case by then, without the dot of the root. */
const nameOf = ({ hostname }: URL) => hostname.replace(/\.$/, '')
const portOf = ({ port, protocol }: URL) => (port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port))
