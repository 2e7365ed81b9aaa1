import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import { operationNameOf } from './rest/operation.ts'

/** Counts and times every request by operation, method and status, beside the process's own metrics (Prometheus text format). */
export function openMetrics(app: FastifyInstance): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  // Gauges by the names of counters, which `promtool check metrics` refuses; their sums over `type` are told without.
  for (const what of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`nodejs_active_${what}_total`)
  const duration = new Histogram({
    name: 'licet_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last of its answer.',
    labelNames: ['operation', 'method', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  app.addHook('onResponse', (request, reply, done) => {
    const operation = operationNameOf(request) ?? 'none'
    duration.observe({ operation, method: request.method, status: String(reply.statusCode) }, reply.elapsedTime / 1000)
    done()
  })
  return registry
}

/** Counts and times every attempt to deliver an event, by what came of it; `millis` is from its first byte to the last of the answer. */
export function timeAttempts(registry: Registry): (outcome: string, millis: number) => void {
  const duration = new Histogram({
    name: 'licet_webhook_attempt_duration_seconds',
    help: 'Time from the first byte of an attempt to deliver an event to the last of its answer.',
    labelNames: ['outcome'],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  })
  return (outcome, millis) => duration.observe({ outcome }, millis / 1000)
}
