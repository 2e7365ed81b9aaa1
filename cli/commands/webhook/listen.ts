import { integer, string } from '@oclif/core/flags'
import { LicetCommand } from '../../base-command.ts'
import { chooseEnvironment } from '../../environments/choosing.ts'
import { environmentFlag } from '../../environments/environment-flag.ts'
import { wantsJson } from '../../global-switches.ts'
import { streamDocuments } from '../../json-document.ts'
import { Problem } from '../../problems.ts'
import { listeningTeller } from '../../screens/listening.ts'
import { listenForWebhooks } from '../../tasks/webhook-listen.ts'
import { whileSubscribed } from '../../tasks/webhook-passing-subscription.ts'
import { readHttpUrl } from '../../tasks/webhook-wish.ts'
import { makeSecret, readOwnSecret } from '../../webhook-listening/own-secret.ts'
import { readSigningSecrets, type SigningSecret } from '../../webhooks/signing-secrets.ts'

export default class WebhookListen extends LicetCommand {
  static override summary = 'Receive webhooks on this machine: verify each, print it, and hand it on.'
  static override description =
    'Answers the challenge of a subscription, verifies every delivery over its very bytes (both signature profiles), refuses with 401 what is not signed by the secret or not sent a moment ago, and prints a line for each; --json prints an object a line, with the whole event. With --forward-to each goes on with the same bytes and webhook headers, and the endpoint’s status is the answer, so that what it refuses is sent again. With --subscribe it makes the subscription, with a secret that is kept nowhere unless one is given, has it verified, and removes it when it ends: on Ctrl-C, SIGTERM, or the end of a pipe on stdin. That needs the scopes webhooks.subscriptions:create, :update and :delete, and a server that reaches this machine: one that runs with --allow-private-webhooks, or a tunnel that --public-url names.'
  static override examples = [
    "<%= config.bin %> webhook listen --subscribe 'Entitlement.*'",
    "<%= config.bin %> webhook listen --subscribe '*' --secret-file secret.txt --forward-to http://127.0.0.1:3000/hooks --json",
    "<%= config.bin %> webhook listen --port 4000 --subscribe '*' --public-url https://abc.tunnel.example --env staging",
    '<%= config.bin %> webhook listen --port 4000 --secret-file secret.txt',
  ]
  static override flags = {
    env: environmentFlag,
    host: string({ default: '127.0.0.1', env: 'LICET_LISTEN_HOST', summary: 'The address to listen at.' }),
    port: integer({
      default: 0,
      min: 0,
      max: 65_535,
      env: 'LICET_LISTEN_PORT',
      summary: 'The port; 0 picks a free one.',
    }),
    'secret-file': string({
      summary: 'The file with the secrets by which deliveries are known, one a line; - for stdin.',
      helpValue: 'FILE',
    }),
    'forward-to': string({
      parse: readHttpUrl('--forward-to'),
      summary: 'The endpoint that deliveries are handed on to.',
      helpValue: 'URL',
    }),
    subscribe: string({
      multiple: true,
      multipleNonGreedy: true,
      summary: 'Subscribe to these events as long as it runs: a type, Entitlement.*, or *; repeatable.',
      helpValue: 'PATTERN',
    }),
    'public-url': string({
      parse: readHttpUrl('--public-url'),
      env: 'LICET_LISTEN_PUBLIC_URL',
      dependsOn: ['subscribe'],
      summary: 'The URL to subscribe, where a tunnel stands before this machine.',
      helpValue: 'URL',
    }),
  }

  /** The lines on stdout are this command's own: one for each delivery. */
  override jsonEnabled(): boolean {
    return false
  }

  async run() {
    const { flags } = await this.parse(WebhookListen)
    if (wantsJson()) streamDocuments()
    const { host, port, subscribe: eventTypes } = flags
    const forwardTo = flags['forward-to'] === undefined ? undefined : new URL(flags['forward-to'])
    const teller = listeningTeller()
    const listening = { host, port, forwardTo, hear: teller.heard, warn: teller.warn }
    if (eventTypes === undefined) {
      const secrets = await this.secrets(flags['secret-file'])
      return listenForWebhooks({ ...listening, secrets }, async (url, ending) => {
        teller.listening(url)
        await ending.told
      })
    }
    const environment = await chooseEnvironment(flags.env)
    const secret = (await readOwnSecret(flags['secret-file'])) ?? makeSecret()
    return listenForWebhooks({ ...listening, secrets: [secret] }, async (own, ending) => {
      teller.listening(own)
      const url = flags['public-url'] ?? own
      await whileSubscribed({ environment, url, eventTypes, secret: secret.text }, ending, teller)
    })
  }

  private async secrets(file: string | undefined): Promise<SigningSecret[]> {
    if (file === undefined && !process.env.LICET_WEBHOOK_SECRET)
      throw new Problem('cli.usage', 'The secret by which deliveries are known is missing.', {
        hint: '--secret-file FILE or LICET_WEBHOOK_SECRET; or --subscribe PATTERN, which makes one',
      })
    return readSigningSecrets(file)
  }
}
