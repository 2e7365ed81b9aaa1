import type { Readable } from '../../database/database.ts'
import { compileOnce } from '../../kit/compiled-query.ts'
import { no } from '../../kit/flags.ts'

/** What tells an organization group apart: in its tenant the id, in every tenant the name. */
export interface GroupName {
  id: string
  name: string
}

/** The tenant's organization groups. */
export const groupNamesOf = (readable: Readable, tenantId: string): Promise<GroupName[]> =>
  findNames(readable, { tenantId })

const findNames = compileOnce((readable, { tenantId }: { tenantId: string }) =>
  readable
    .selectFrom('organization_groups')
    .select(['id', 'name'])
    .where('tenant_id', '=', tenantId)
    .where('is_deleted', '=', no)
    .orderBy('id'),
)
