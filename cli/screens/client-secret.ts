import type { ClientWithSecret } from '../../server/access/clients/operator-deeds.ts'
import type { EnvironmentOfClient } from '../environments/choosing.ts'
import { visible } from '../visible-text.ts'

/** A client with its secret, which is shown this once. */
export const clientSecretLines = ({ clientId, clientSecret, scopes }: ClientWithSecret): string[] => [
  `  client id      ${clientId}`,
  `  client secret  ${clientSecret}`,
  `  scopes         ${visible(scopes.join(' '))}`,
  'Keep the secret now: it is not shown again.',
]

/** How a new client is used from here. */
export function newClientHint(clientId: string, tenant: string, database: string): string[] {
  const where = /^postgres/.test(database) ? 'the server' : 'a server on this database'
  return [
    `Next, with ${where} at http://127.0.0.1:7070:`,
    `  licet env add ${tenant} --url http://127.0.0.1:7070/t/${tenant} --client-id ${clientId}`,
  ]
}

/** How the new secret comes to the environments here that call as the client, and that others need it, too. */
export function newSecretHint(clientId: string, environments: readonly EnvironmentOfClient[]): string[] {
  if (environments.length === 0) return ['Next: give it to whatever calls as this client; no environment here does.']
  const lines = environments.map(({ name, url, tenantId, protected: isProtected, isStored }) => {
    const words = [`licet env add ${name} --url ${url} --client-id ${clientId}`]
    if (tenantId !== undefined) words.push(`--tenant-id ${tenantId}`)
    if (isProtected) words.push('--protected')
    if (isStored) words.push('--force')
    return visible(`  ${words.join(' ')}`)
  })
  return ['Next, here, and wherever else this client is used:', ...lines]
}
