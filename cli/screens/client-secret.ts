import type { ClientWithSecret } from '../../server/access/clients/operator-deeds.ts'
import { visible } from '../visible-text.ts'

/** A client with its secret, which is shown this once, and how to use it from here. */
export function clientSecretLines(client: ClientWithSecret, tenant: string, database: string): string[] {
  const where = /^postgres/.test(database) ? 'the server' : 'a server on this database'
  return [
    `  client id      ${client.clientId}`,
    `  client secret  ${client.clientSecret}`,
    `  scopes         ${visible(client.scopes.join(' '))}`,
    'Keep the secret now: it is not shown again.',
    `Next, with ${where} at http://127.0.0.1:7070:`,
    `  licet env add ${tenant} --url http://127.0.0.1:7070/t/${tenant} --client-id ${client.clientId}`,
  ]
}
