import { readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { tokenContract } from '../access/token-endpoint/contract.ts'
import { lazily } from '../kit/lazily.ts'
import { Problem } from '../kit/problem.ts'
import { RecentlyUsed } from '../kit/recently-used.ts'
import type { Operation } from '../kit/rest/operation.ts'
import type { ContextBuilder } from '../kit/rest/routes.ts'
import { version } from '../version.ts'
import { type ProblemName, problems } from '../vocabulary/problems.ts'

/** The viewer runs its own bundled script and styles, and talks to this origin alone. */
const contentPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'"

/** Serves the reference of the REST surface: the OpenAPI document, a page to browse it, and a page for every problem. */
export function mountDocs(
  app: FastifyInstance,
  operations: readonly Operation[],
  buildContext: ContextBuilder,
  origin: () => string,
): void {
  const contracts = [...operations.map(({ contract }) => contract), tokenContract]
  const onTenant = async (request: FastifyRequest) => {
    await buildContext(request)
  }
  // Loaded and put together for the first who asks: few starts of a server are for the document's sake.
  const openApi = lazily(async () => (await import('./openapi.ts')).openApiOf(contracts, version))
  // The same bytes for all who take their time to read them.
  const documents = new RecentlyUsed<Buffer>(20)
  app.get('/openapi.json', { onRequest: onTenant, config: { operation: 'openapi' } }, async (request, reply) => {
    const makeDocument = await openApi.get()
    const { baseUrl } = request.licet
    const document = documents.get(baseUrl) ?? Buffer.from(makeDocument(baseUrl))
    documents.set(baseUrl, document)
    return reply.type('application/json; charset=utf-8').send(document)
  })
  app.get('/docs', { onRequest: onTenant, config: { operation: 'docs' } }, async (request, reply) => {
    const base = new URL(request.licet.baseUrl).pathname.replace(/\/$/, '')
    return reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', contentPolicy)
      .send(viewerPage(base))
  })
  const asset = (name: string, type: string) => {
    let content: Buffer | undefined
    app.get(`/docs/assets/${name}`, { config: { operation: 'docs' } }, async (_request, reply) => {
      content ??= await readFile(assetUrl(name))
      return reply.header('content-type', type).header('cache-control', 'public, max-age=86400').send(content)
    })
  }
  asset('viewer.js', 'text/javascript; charset=utf-8')
  asset('start.js', 'text/javascript; charset=utf-8')
  app.get('/docs/problems/:codeName', { config: { operation: 'docs' } }, async (request, reply) => {
    const { codeName } = request.params as { codeName: string }
    if (!Object.hasOwn(problems, codeName)) throw new Problem('request.route_not_found', 'There is no such problem.')
    return reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', contentPolicy)
      .send(problemPage(codeName as ProblemName, origin()))
  })
}

/** Scripts of the page are made by the build, which puts every script of its own one folder below its root. */
const assetUrl = (name: string) =>
  new URL(`${import.meta.url.endsWith('.ts') ? '../../dist' : '..'}/server/docs/assets/${name}`, import.meta.url)

const viewerPage = (base: string) => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,"><title>licet API reference</title></head>
<body><div id="reference" data-openapi="${base}/openapi.json"></div>
<script src="${base}/docs/assets/viewer.js"></script>
<script src="${base}/docs/assets/start.js"></script></body>
</html>
`

function problemPage(codeName: ProblemName, origin: string): string {
  const [code, status, title, when] = problems[codeName]
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><link rel="icon" href="data:,"><title>${codeName}</title></head>
<body><h1>${title}</h1>
<p><code>${codeName}</code>, code ${code}, HTTP status ${status}</p>
<p>${when}</p>
<p>Answered by ${new URL(origin).host}. Branch on <code>code</code> or <code>codeName</code>, never on the detail.</p></body>
</html>
`
}
