import type { AnyTRPCProcedure } from '@trpc/server'
import type { RequestContext } from '../context.ts'
import { type Contract, isMutation } from '../contract.ts'
import type { SplitInput } from '../input.ts'

/** A procedure with the contract it keeps. */
export interface Operation {
  contract: Contract
  procedure: AnyTRPCProcedure
}

/** Every operation of a router, each under its own name; a contract whose name is not its place in the router is a mistake of ours. */
export function operationsOf(router: { _def: { procedures: Record<string, unknown> } }): Operation[] {
  return Object.entries(router._def.procedures).map(([path, entry]) => {
    const procedure = entry as AnyTRPCProcedure
    const { contract } = procedure._def.meta as { contract: Contract }
    if (contract.name !== path) throw new Error(`the contract of ${path} is named ${contract.name}`)
    return { contract, procedure }
  })
}

type Call = (options: {
  ctx: RequestContext
  getRawInput: () => Promise<unknown>
  path: string
  type: 'query' | 'mutation'
  signal: undefined
  batchIndex: number
}) => Promise<unknown>

/** Runs an operation in-process, without tRPC's HTTP layers. */
export function runOperation(
  { contract, procedure }: Operation,
  context: RequestContext,
  input: SplitInput | unknown,
): Promise<unknown> {
  return (procedure as unknown as Call)({
    ctx: context,
    getRawInput: async () => input,
    path: contract.name,
    type: isMutation(contract) ? 'mutation' : 'query',
    signal: undefined,
    batchIndex: 0,
  })
}
