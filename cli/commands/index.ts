import type { Command } from '@oclif/core/command'

type LoadedCommand = Promise<{ default: Command.Class }>

/** Every command: its words joined by colons, and where it is loaded from when it is asked for. One line each. */
export const commands: Record<string, () => LoadedCommand> = {
  api: () => import('./api.ts'),
  'catalog:apply': () => import('./catalog/apply.ts'),
  'catalog:convert': () => import('./catalog/convert.ts'),
  'catalog:diff': () => import('./catalog/diff.ts'),
  'catalog:drift': () => import('./catalog/drift.ts'),
  'catalog:explain': () => import('./catalog/explain.ts'),
  'catalog:export': () => import('./catalog/export.ts'),
  'catalog:format': () => import('./catalog/format.ts'),
  'catalog:history': () => import('./catalog/history.ts'),
  'catalog:import': () => import('./catalog/import.ts'),
  'catalog:new': () => import('./catalog/new.ts'),
  'catalog:plan': () => import('./catalog/plan.ts'),
  'catalog:plan:show': () => import('./catalog/plan/show.ts'),
  'catalog:promote': () => import('./catalog/promote.ts'),
  'catalog:rollback': () => import('./catalog/rollback.ts'),
  'catalog:validate': () => import('./catalog/validate.ts'),
  'client:create': () => import('./client/create.ts'),
  'client:delete': () => import('./client/delete.ts'),
  'client:list': () => import('./client/list.ts'),
  'client:rotate-secret': () => import('./client/rotate-secret.ts'),
  completion: () => import('./completion.ts'),
  doctor: () => import('./doctor.ts'),
  'env:add': () => import('./env/add.ts'),
  'env:check': () => import('./env/check.ts'),
  'env:list': () => import('./env/list.ts'),
  'env:remove': () => import('./env/remove.ts'),
  'env:use': () => import('./env/use.ts'),
  init: () => import('./init.ts'),
  'license:activate': () => import('./license/activate.ts'),
  'license:check-in': () => import('./license/check-in.ts'),
  'license:inspect': () => import('./license/inspect.ts'),
  'license:release': () => import('./license/release.ts'),
  'license:renew': () => import('./license/renew.ts'),
  'license:verify': () => import('./license/verify.ts'),
  'offline:inspect': () => import('./offline/inspect.ts'),
  'offline:issue': () => import('./offline/issue.ts'),
  'offline:request': () => import('./offline/request.ts'),
  'offline:verify': () => import('./offline/verify.ts'),
  serve: () => import('./serve.ts'),
  'tenant:create': () => import('./tenant/create.ts'),
  'tenant:list': () => import('./tenant/list.ts'),
}

/** One sentence for each first word that several commands share, shown by `licet --help`. */
export const topics: Record<string, string> = {
  catalog: 'Catalogs as files: check, compare and move them.',
  client: 'The clients of a tenant: who may call, and what each may do.',
  env: 'The environments (tenants on servers) that commands work with.',
  license: 'Licences of devices: get one, look at it, verify it, keep it, give its seat back.',
  offline: 'Licences for machines without a network: ask, issue, look at them, verify.',
  tenant: 'The tenants of a server: each a catalog, customers and keys of its own.',
}
