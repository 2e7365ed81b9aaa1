import { string as text } from '@oclif/core/args'
import { boolean, string } from '@oclif/core/flags'
import { LicetCommand } from '../base-command.ts'
import { chooseEnvironment } from '../environments/choosing.ts'
import { environmentFlag } from '../environments/environment-flag.ts'
import { withoutSecrets } from '../held-secrets.ts'
import { jsonText } from '../json-document.ts'
import { Problem } from '../problems.ts'
import { serverClient } from '../server-client.ts'
import { allScopes } from '../server-connection/all-scopes.ts'
import { isJson, jsonOf, textOf } from '../server-connection/answer-body.ts'
import { refusal } from '../server-connection/refusals.ts'
import { dataFrom, headersFrom, listAll } from '../tasks/call-api.ts'
import { headOf, indented } from '../tasks/show-answer.ts'
import { visible } from '../visible-text.ts'

export default class Api extends LicetCommand {
  static override summary = 'Call any endpoint of an environment, authenticated.'
  static override description =
    'Prints the body as it came; indented, and with control characters visible, on a terminal. A status of 400 or more exits 1 and is explained on stderr.'
  static override examples = [
    '<%= config.bin %> api GET /api/v1/provision/admin/products',
    `<%= config.bin %> api PATCH /api/v1/provision/admin/tags/ID --data '{"color":"#ff8800"}' --header 'If-Match: "3"'`,
    '<%= config.bin %> api POST /api/v1/provision/admin/catalog/compare --data @snapshot.json --scope admin.catalog:read',
    '<%= config.bin %> api GET /api/v1/provision/admin/tags --paginate --json',
  ]
  static override args = {
    method: text({ required: true, description: 'GET, POST, PUT, PATCH, DELETE, HEAD or OPTIONS.' }),
    path: text({ required: true, description: 'The path below the base URL of the tenant, with its query.' }),
  }
  static override flags = {
    env: environmentFlag,
    data: string({ char: 'd', summary: 'The body: JSON as it stands, @FILE, or - for stdin.' }),
    header: string({
      char: 'H',
      multiple: true,
      multipleNonGreedy: true,
      summary: 'A header, "Name: value"; repeatable.',
    }),
    scope: string({
      multiple: true,
      multipleNonGreedy: true,
      summary: 'The scopes to ask for; every one that the client has, by default.',
    }),
    include: boolean({ char: 'i', summary: 'Print the status and the headers first.', exclusive: ['paginate'] }),
    paginate: boolean({ summary: 'Fetch every page of a list and print all items as one array.' }),
  }

  async run() {
    const { args, flags } = await this.parse(Api)
    const method = args.method.toUpperCase()
    if (!/^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/.test(method)) {
      throw new Problem('cli.usage', 'There is no such method.', {
        hint: 'GET, POST, PUT, PATCH, DELETE, HEAD or OPTIONS',
      })
    }
    if (flags.paginate && method !== 'GET') throw new Problem('cli.usage', '--paginate goes with GET.')
    const headers = headersFrom(flags.header ?? [])
    const body = flags.data === undefined ? undefined : await dataFrom(flags.data)
    if (body !== undefined && (method === 'GET' || method === 'HEAD'))
      throw new Problem('cli.usage', `A ${method} has no --data.`)
    const server = serverClient(await chooseEnvironment(flags.env), flags.scope ?? allScopes)
    if (flags.paginate) {
      const items = await listAll(server, args.path, headers)
      if (!this.jsonEnabled()) this.print(jsonText(items), true)
      return items
    }
    const answer = await server.request(method, args.path, { body, headers })
    if (flags.include) this.log(headOf(answer))
    const host = new URL(server.environment.url).host
    if (answer.bytes.length > 0) this.print(textOf(answer), isJson(answer))
    if (answer.status >= 400) throw refusal(answer, host)
    if (!this.jsonEnabled()) return null
    const value = isJson(answer) ? jsonOf(answer, host) : answer.bytes.length > 0 ? textOf(answer) : null
    return flags.include ? { status: answer.status, headers: Object.fromEntries(answer.headers), body: value } : value
  }

  /** As it came for a pipe, but for secrets that the answer repeats; for a person indented, and with nothing that the terminal would act on. */
  private print(text: string, json: boolean) {
    if (this.jsonEnabled()) return
    const body = withoutSecrets(text)
    if (!process.stdout.isTTY) process.stdout.write(body.endsWith('\n') ? body : `${body}\n`)
    else this.log(visible(json ? indented(body) : body, { lines: true }))
  }
}
