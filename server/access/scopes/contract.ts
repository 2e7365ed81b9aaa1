import { Type } from 'typebox'
import { Closed } from '../../../catalog-schema/shapes.ts'
import { contract } from '../../kit/contract.ts'

export const listScopes = contract({
  name: 'scopes.list',
  method: 'GET',
  path: '/api/v1/scopes',
  access: 'anyone',
  summary: 'List every scope with what it opens',
  description:
    'A scope is `<audience>.<resource>:<verb>`; `*` stands for any resource or any verb, `write` for create and update.',
  answer: Type.Array(
    Closed({
      scope: Type.String(),
      audience: Type.String(),
      resource: Type.String(),
      verb: Type.String(),
      opens: Type.String({ description: 'What a token with this scope may do, in words.' }),
    }),
  ),
})
