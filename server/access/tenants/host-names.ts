const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const hostName = new RegExp(`^(?=.{1,253}$)${label}(?:\\.${label})*$`)

/** The host name as it is stored and looked up (lower case, no port, no final dot), or undefined when it is none. */
export function normalHostName(text: string): string | undefined {
  const name = text
    .toLowerCase()
    .replace(/:\d{1,5}$/, '')
    .replace(/\.$/, '')
  return hostName.test(name) ? name : undefined
}
