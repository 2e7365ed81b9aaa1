import type { Readable } from '../../database/database.ts'
import { no } from '../../kit/flags.ts'
import { invalid } from '../../kit/problem.ts'

const refuse = (message: string) => invalid([{ pointer: '/parentProductId', message }])

/** The product that another is to be part of, by natural key; throws the validation problem when there is none, or when it is part of that other already. */
export async function getParent(readable: Readable, tenantId: string, parentId: string, ownId: string | undefined) {
  const parent = await findLink(readable, tenantId, parentId)
  if (!parent) throw refuse('there is no product with that id')
  const seen = new Set<string>()
  for (
    let above: typeof parent | undefined = parent;
    above && !seen.has(above.id);
    above = above.parent_product_id ? await findLink(readable, tenantId, above.parent_product_id) : undefined
  ) {
    if (above.id === ownId) throw refuse('the product would be part of itself')
    seen.add(above.id)
  }
  return parent
}

const findLink = (readable: Readable, tenantId: string, id: string) =>
  readable
    .selectFrom('products')
    .select(['id', 'product_code', 'product_version', 'parent_product_id'])
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id.toLowerCase())
    .where('is_deleted', '=', no)
    .executeTakeFirst()
