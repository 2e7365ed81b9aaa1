import { type Audience, scopeResources, scopeVerbs } from '../../vocabulary/scopes.ts'

export interface KnownScope {
  scope: string
  audience: Audience
  resource: string
  verb: string
  opens: string
}

const verbWords = {
  read: 'GET',
  create: 'POST',
  update: 'PATCH, PUT and POST {id}/{action}',
  delete: 'DELETE',
  write: 'create and update',
  '*': 'every verb',
}

/** Every scope that a client can be registered for, each audience's wildcards first, with what it opens. */
export const knownScopes: readonly KnownScope[] = Object.entries(scopeResources).flatMap(([audience, resources]) =>
  Object.entries({ '*': `everything of the audience ${audience}`, ...resources }).flatMap(([resource, words]) =>
    ([...scopeVerbs, 'write', '*'] as const).map((verb) => ({
      scope: `${audience}.${resource}:${verb}`,
      audience: audience as Audience,
      resource,
      verb,
      opens: `${words}: ${verbWords[verb]}`,
    })),
  ),
)

const names = new Set(knownScopes.map(({ scope }) => scope))

/** Whether a client can be registered for it: letter case counts, and so does every resource's name. */
export const isKnownScope = (text: string) => names.has(text)
