import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { device } from '../support/license-keys.ts'
import { standInSecret } from './tenant-stand-in.ts'

/** A run of a command that can go well where there are the files and environments of robust-home.ts. */
export interface Invocation {
  /** `catalog diff` */
  id: string
  args: string[]
  /** Whether it speaks with a server. */
  talks: boolean
  /** How it ends there, when it is not 0. */
  exitCode?: number
  /** The same with the catalog, the text or the secret on stdin. */
  fromStdin?: { args: string[]; input: string }
}

/** Commands that are not run here, and where they are. */
const elsewhere: Record<string, string> = {
  serve: 'runs until it is told to stop: serve.test.ts',
  'webhook listen': 'runs until it is told to stop: webhook-listen.test.ts',
}

export const catalogText = 'products:\n  - productCode: A\n    name: New\n'

export const offlineRequestText = JSON.stringify({
  meta: { schemaVersion: 1, nonce: 'A'.repeat(43), requestedAt: '2026-11-21T11:00:00Z', sdkVersion: 'test/1' },
  body: { activationCode: 'CANARY-CODE-1234', fingerprint: device },
})

export const transactionText = '{"transactionId":1,"eventName":"Started","eventData":"{}"}\n'

/** The id of every record that a sound tenant has. */
export const recordId = '0199f000-0000-7000-8000-000000000001'

/** What no rule below finds: arguments of their own, or another meaning of a name. */
const particular: Record<string, Partial<Omit<Invocation, 'id'>>> = {
  api: { args: ['GET', '/api/v1/x', '--env', 'one'] },
  'catalog apply': { args: ['plan.json', '--yes'], talks: true },
  'catalog convert': { args: ['pricing.yml', '--from', 'pricing2yaml', '--out', 'converted', '--force'] },
  'catalog diff': {
    args: ['one.yaml', '--env', 'one'],
    fromStdin: { args: ['-', '--env', 'one'], input: catalogText },
  },
  'catalog explain': { args: ['product.name'] },
  'catalog export': { args: ['exported', '--env', 'one'] },
  'catalog format': { fromStdin: { args: ['-'], input: catalogText } },
  'catalog import': { fromStdin: { args: ['-', '--env', 'one', '--yes'], input: catalogText } },
  'catalog new': { args: ['product'] },
  'catalog plan': { args: ['one.yaml', '--env', 'one', '--out', 'again.json', '--force'] },
  'catalog rollback': { args: ['i', '--env', 'one', '--yes', '--overwrite-later-edits'] },
  'catalog validate': { fromStdin: { args: ['-'], input: catalogText } },
  'client create': { args: ['--tenant', 'acme', '--name', 'x', '--scope', 'admin.catalog:read'] },
  'client delete': { args: ['c', '--tenant', 'acme'], exitCode: 1 },
  'client rotate-secret': { args: ['c', '--tenant', 'acme'], exitCode: 1 },
  completion: { args: ['bash'] },
  'env add': {
    args: ['new', '--url', 'http://127.0.0.1:9/t/a', '--client-id', 'c', '--client-secret-file', 'secret', '--force'],
    fromStdin: {
      args: ['new', '--url', 'http://127.0.0.1:9/t/a', '--client-id', 'c', '--client-secret-file', '-', '--force'],
      input: 'stdin-canary-1234',
    },
  },
  // It asks whether there is a server, and for a token, and nothing else: server-failures.test.ts.
  'env check': { args: ['one'], talks: false },
  'env remove': { args: ['unneeded'] },
  'env use': { args: ['one'], talks: false },
  init: { args: ['begun'] },
  'license activate': { args: ['--activation-code-file', 'code', '--fingerprint', device, '--env', 'one'] },
  'license check-in': { args: ['licence.jwt', '--env', 'one'] },
  'license inspect': { args: ['licence.jwt'] },
  'license release': { args: ['licence.jwt', '--env', 'one'] },
  'license renew': { args: ['licence.jwt', '--env', 'one'] },
  'license verify': { args: ['licence.jwt', '--public-key', 'jwks.json', '--at', '2026-11-22T00:00:00Z'] },
  'offline inspect': { args: ['request.json'], fromStdin: { args: ['-'], input: offlineRequestText } },
  'offline issue': {
    args: ['request.json', '--env', 'one'],
    fromStdin: { args: ['-', '--env', 'one'], input: offlineRequestText },
  },
  'offline request': { args: ['--activation-code-file', 'code', '--fingerprint', device] },
  'offline verify': { args: ['response.json', '--public-key', 'jwks.json', '--at', '2026-11-22T00:00:00Z'] },
  report: { args: ['revenue', '--env', 'one'] },
  'tenant create': { args: ['fresh'] },
  'usage consume': { args: ['m', '--license', 'licence.jwt', '--key', 'k', '--env', 'one'] },
  'usage show': { args: ['--license', 'licence.jwt', '--metric', 'm', '--env', 'one'] },
  'usage upload': {
    args: ['usage.jsonl', '--license', 'licence.jwt', '--env', 'one'],
    fromStdin: { args: ['-', '--license', 'licence.jwt', '--env', 'one'], input: transactionText },
  },
  'webhook requeue': { args: ['--subscription', recordId, '--since', '2026-01-01T00:00:00Z', '--env', 'one', '--yes'] },
  'webhook sign': {
    args: ['--body', 'request.json', '--secret-file', 'secret'],
    fromStdin: {
      args: ['--body', '-', '--id', 'e', '--timestamp', '1788004800', '--secret-file', 'secret'],
      input: offlineRequestText,
    },
  },
  'webhook subscribe': { args: ['https://crm.example/hooks', '--event', '*', '--env', 'one'] },
  'webhook verify': {
    args: ['--request', 'delivery.txt', '--secret-file', 'secret', '--at', '2026-11-22T00:00:00Z'],
    fromStdin: {
      args: ['--request', 'delivery.txt', '--secret-file', '-', '--at', '2026-11-22T00:00:00Z'],
      input: `${standInSecret}\n`,
    },
  },
}

const values: Record<string, string> = {
  code: recordId,
  entitlement: recordId,
  session: recordId,
  subscription: recordId,
  user: recordId,
  tenant: 'acme',
  directory: 'one.yaml',
  file: 'plan.json',
  name: 'one',
  env: 'one',
  from: 'one',
  to: 'two',
}

/** One invocation of every command in the checked-in list, so that a new command is among them from its first day. */
export function everyInvocation(): Invocation[] {
  const surface = JSON.parse(readFileSync(join(import.meta.dirname, '../facts/commands.json'), 'utf8')) as Record<
    string,
    unknown
  >
  const ids = Object.keys(surface).filter((key) => !key.includes(' --') && !(key in elsewhere))
  return ids.map((id) => {
    const taken = surface[id] as { name: string; required?: boolean }[]
    const flags = Object.entries(surface)
      .filter(([key]) => key.startsWith(`${id} --`))
      .map(([, flag]) => flag as { name: string; required?: boolean })
    const has = (name: string) => flags.some((flag) => flag.name === name)
    const wanted = taken.filter(({ name, required }) => required || name === 'directory')
    const args = [
      ...wanted.map(({ name }) => values[name] ?? 'x'),
      ...flags.filter(({ required }) => required).flatMap(({ name }) => [`--${name}`, values[name] ?? 'x']),
      ...(has('env') ? ['--env', 'one'] : []),
      ...(has('yes') ? ['--yes'] : []),
    ]
    return { id, args, talks: has('env') || (has('from') && has('to')), ...particular[id] }
  })
}
