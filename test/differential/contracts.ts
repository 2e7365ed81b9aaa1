import type { Contract } from '../../server/kit/contract.ts'
import { operationsOf } from '../../server/kit/rest/operation.ts'
import { appRouter } from '../../server/router.ts'

/** Every operation's contract, by its name. */
export const contracts: ReadonlyMap<string, Contract> = new Map(
  operationsOf(appRouter).map(({ contract }) => [contract.name, contract]),
)
