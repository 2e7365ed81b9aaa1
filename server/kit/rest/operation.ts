import type { FastifyRequest } from 'fastify'
import type { Contract } from '../contract.ts'
import type { Run } from '../procedure.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The name, for metrics and logs, of what a route does; by method where it does several things. */
    operation?: string | ((method: string) => string)
  }
  interface FastifyRequest {
    /** What `operationNameOf` has found, for all who ask. */
    operationName: string | undefined
  }
}

/** An operation: the contract that it keeps, and how it is run. */
export interface Operation {
  contract: Contract
  run: Run
}

/** Every operation of a router, each under its own name; a contract whose name is not its place in the router is a mistake of ours. */
export function operationsOf(router: { _def: { procedures: Record<string, unknown> } }): Operation[] {
  return Object.entries(router._def.procedures).map(([path, procedure]) => {
    const { contract, run } = (procedure as { _def: { meta: Operation } })._def.meta
    if (contract.name !== path) throw new Error(`the contract of ${path} is named ${contract.name}`)
    return { contract, run }
  })
}

/** The name of what a request asks for; undefined where no route answers it. */
export function operationNameOf(request: FastifyRequest): string | undefined {
  request.operationName ??= nameOf(request)
  return request.operationName
}

function nameOf({ routeOptions, method }: FastifyRequest): string | undefined {
  const operation = routeOptions.config?.operation
  return typeof operation === 'function' ? operation(method) : operation
}
