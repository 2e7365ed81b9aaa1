import { callerId, type ReadContext } from '../../kit/context.ts'
import { Problem, recordNotFound } from '../../kit/problem.ts'
import { mutation, query } from '../../kit/procedure.ts'
import { findPerson } from '../finding-person.ts'
import { documentOf } from '../personal-document.ts'
import { ownRequestContracts, requestContracts } from './contract.ts'
import { fileRequest, takeStep } from './deciding.ts'
import { isAnswered } from './steps.ts'
import { getRequest, listRequests, type RequestRow } from './store.ts'
import { toWire } from './wire.ts'

/** The data that a request for access asks for; throws the problem of a request that is not answered with them. */
async function answerAccess(context: ReadContext, request: RequestRow) {
  if (!isAnswered(request))
    throw new Problem(
      'catalog.invalid_transition',
      'Only a request for access that was approved is answered with data.',
    )
  const person = await findPerson(context.read, context.tenant.id, request.user_id)
  if (!person) throw recordNotFound('user')
  return documentOf(context, person)
}

/** What signed-in end users ask for of their own data. */
export const ownDataSubjectRequests = {
  file: mutation(ownRequestContracts.file, async (context, { kind, note }) =>
    toWire(await fileRequest(context, { userId: callerId(context.caller), kind, note: note || null })),
  ),
  list: query(ownRequestContracts.list, async ({ read, tenant, caller }, input) => {
    const page = await listRequests(read, tenant.id, callerId(caller), input)
    return { ...page, items: page.items.map(toWire) }
  }),
  data: query(ownRequestContracts.data, async (context, { id }) => {
    const { read, tenant, caller } = context
    return answerAccess(context, await getRequest(read, tenant.id, id, callerId(caller)))
  }),
}

/** The same for those who decide on it. */
export const dataSubjectRequests = {
  list: query(requestContracts.list, async ({ read, tenant }, input) => {
    const page = await listRequests(read, tenant.id, undefined, input)
    return { ...page, items: page.items.map(toWire) }
  }),
  get: query(requestContracts.get, async ({ read, tenant }, { id }) => toWire(await getRequest(read, tenant.id, id))),
  data: query(requestContracts.data, async (context, { id }) =>
    answerAccess(context, await getRequest(context.read, context.tenant.id, id)),
  ),
  approve: mutation(requestContracts.approve, async (context, { id, note }) =>
    toWire(await takeStep(context, { id, step: 'approve', note: note || null })),
  ),
  reject: mutation(requestContracts.reject, async (context, { id, note }) =>
    toWire(await takeStep(context, { id, step: 'reject', note: note || null })),
  ),
  complete: mutation(requestContracts.complete, async (context, { id, note }) =>
    toWire(await takeStep(context, { id, step: 'complete', note: note || null })),
  ),
}
