/** The floor of usage reads: Fastify with the schemas of the product's route, and one answer for all. Run as a process of its own. */
import fastify from 'fastify'
import { readUsage } from '../../server/activations/usage/contract.ts'

const [written] = process.argv.slice(2) as [string]
const answer = JSON.parse(written)
// Of tiers the schema tells nothing, and a serializer made from it would leave out what is in them.
const shape = readUsage.answer as unknown as { properties: Record<string, object> }
const response = { ...shape, properties: { ...shape.properties, tiers: { type: 'array' } } }

// The schemas are annotated with words of our own.
const app = fastify({ ajv: { customOptions: { strictSchema: false } } })
app.get(
  readUsage.path.replaceAll(/\{(\w+)\}/g, ':$1'),
  { schema: { params: readUsage.params, response: { 200: response } } },
  async () => answer,
)
console.log(JSON.stringify({ url: await app.listen({ host: '127.0.0.1', port: 0 }) }))
process.once('SIGTERM', () => process.exit(0))
