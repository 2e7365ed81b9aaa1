import { isIP } from 'node:net'
import { boolean, integer, string } from '@oclif/core/flags'
import { LicetCommand } from '../base-command.ts'
import { databaseFlag } from '../operator/database-flag.ts'
import { mailFrom } from '../operator/mail-sender.ts'
import { Problem } from '../problems.ts'
import { drainWhenTold, endOnUncaught, startServing } from '../tasks/serve.ts'

export default class Serve extends LicetCommand {
  static override summary = 'Run the server.'
  static override description =
    'Brings the database up to date, listens, and says so in the first line on stdout: {"event":"listening","url":"…"}. Logs go to stderr, one JSON object a line. SIGTERM and SIGINT let it finish what is running; a second one ends it at once. With --import it imports a catalog first, into the default tenant or the only one, once for each content of the files: a start that would overwrite what somebody has edited since leaves it out, says so in the log with the keys, and serves all the same; files that cannot be imported, for one because no organization group is called as an offer says, stop the start. Secrets are sealed with LICET_MASTER_KEY, or with a key file: beside a SQLite database, or among the settings of the user for a PostgreSQL on this machine. Letters to people who register go out by the SMTP server of LICET_SMTP_URL (smtp://USER:PASSWORD@HOST:PORT, or smtps://), from the address LICET_MAIL_FROM; without them none are sent.'
  static override examples = [
    '<%= config.bin %> serve',
    '<%= config.bin %> serve --port 0 --database sqlite:/var/lib/licet/licet.db',
    '<%= config.bin %> serve --import catalog --default-tenant acme',
    '<%= config.bin %> serve --host 0.0.0.0 --public-url https://licenses.example.com',
  ]
  static override flags = {
    host: string({ default: '127.0.0.1', summary: 'The address to listen at.' }),
    port: integer({ default: 7070, min: 0, max: 65_535, summary: 'The port; 0 picks a free one.' }),
    database: databaseFlag,
    'public-url': string({
      summary: 'The origin that clients use, when a proxy stands before the server.',
      helpValue: 'URL',
    }),
    'trusted-proxy': string({
      summary:
        'Proxies before the server, comma-separated: what they say in X-Forwarded-For of whose request it is is believed.',
      helpValue: 'CIDR,…',
    }),
    'default-tenant': string({
      summary: 'The tenant that answers at the origin itself, without /t/SLUG.',
      helpValue: 'SLUG',
    }),
    'allow-private-webhooks': boolean({
      summary: 'Allow webhooks to addresses that are not public, and over plain http: for development and tests.',
    }),
    import: string({
      summary: 'Import this catalog before listening, once for each content: a directory, a file, or - for stdin.',
      helpValue: 'DIR',
    }),
    'import-overwrite': boolean({
      dependsOn: ['import'],
      summary: 'Import it at every start, over later edits too: the files win.',
    }),
    'log-level': string({
      default: 'info',
      options: ['debug', 'info', 'warn', 'error', 'silent'],
      summary: 'The least that is logged.',
    }),
  }

  /** The lines on stdout are this command's own, whether or not --json is given. */
  override jsonEnabled(): boolean {
    return false
  }

  async run() {
    const { flags } = await this.parse(Serve)
    const options = {
      databaseUrl: flags.database,
      host: flags.host,
      port: flags.port,
      publicUrl: originFrom(flags['public-url']),
      trustedProxies: networksFrom(flags['trusted-proxy']),
      defaultTenant: flags['default-tenant'],
      allowPrivateWebhooks: flags['allow-private-webhooks'],
      mail: mailFrom(process.env),
      logLevel: flags['log-level'],
    }
    const brought =
      flags.import === undefined ? undefined : { path: flags.import, overwrite: flags['import-overwrite'] }
    const server = await startServing(options, brought)
    endOnUncaught(server)
    const drained = drainWhenTold(server)
    process.stdout.write(`${JSON.stringify({ event: 'listening', url: server.url })}\n`)
    await drained
  }
}

function originFrom(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const url = URL.canParse(text) ? new URL(text) : null
  if (url && ['http:', 'https:'].includes(url.protocol) && url.href === `${url.origin}/`) return url.origin
  throw new Problem('cli.usage', '--public-url must be an origin: https://HOST, without a path.', {
    hint: '--public-url https://licenses.example.com',
  })
}

function networksFrom(text: string | undefined): string[] {
  const networks = text === undefined ? [] : text.split(',').map((network) => network.trim())
  const unknown = networks.find((network) => !isNetwork(network))
  if (unknown === undefined) return networks
  throw new Problem('cli.usage', `--trusted-proxy: ${JSON.stringify(unknown)} is no address and no network (CIDR).`, {
    hint: '--trusted-proxy 192.0.2.7,10.0.0.0/8',
  })
}

function isNetwork(text: string): boolean {
  const [address = '', bits = '1', ...more] = text.split('/')
  const mostBits = { 0: -1, 4: 32, 6: 128 }[isIP(address)]!
  return more.length === 0 && /^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= mostBits
}
