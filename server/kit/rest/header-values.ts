import type { IncomingMessage } from 'node:http'

/** Every value of a header (its name in lower case), in their order. Node's own way (`headersDistinct`) sorts out all the others, too. */
export function headerValues({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>, name: string): string[] {
  const values: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const given = rawHeaders[at]!
    if (given.length === name.length && given.toLowerCase() === name) values.push(rawHeaders[at + 1]!)
  }
  return values
}
