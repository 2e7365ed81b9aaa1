import { sameValue } from '../../../catalog-schema/form.ts'
import { keyOf } from '../../../catalog-schema/keys.ts'
import type { Product, ProductFeature } from '../../../catalog-schema/product.ts'
import type { Readable } from '../../database/database.ts'
import { refuseInUse } from '../../kit/records/in-use.ts'
import { losersOfOptions, usersOfFeature } from '../features/users.ts'
import { listEntriesOf } from '../records/entries-of.ts'
import { speakersAbout } from '../records/speakers.ts'

/**
 * Refuses to take a feature off a product while others name it, or an option off one while others give it as value.
 * Where the feature catalog has an entry of the code, that entry is what others mean.
 */
export async function refuseNeededFeatures(
  readable: Readable,
  tenantId: string,
  productId: string,
  before: Product,
  after: Product,
): Promise<void> {
  const becomes = new Map(after.features.map((feature) => [feature.featureCode, feature]))
  const poorer = before.features.filter((feature) => isPoorer(feature, becomes.get(feature.featureCode)))
  if (poorer.length === 0) return
  const entries = await listEntriesOf(readable, tenantId, [productId])
  const catalogued = new Set(entries.map(({ featureCode }) => featureCode))
  const speakers = await speakersAbout(readable, tenantId, productId)
  for (const was of poorer) {
    const { featureCode } = was
    if (catalogued.has(featureCode)) continue
    const key = keyOf('feature', { ...before, featureCode })
    const now = becomes.get(featureCode)
    if (now) refuseInUse(`An option of ${key}`, losersOfOptions(speakers, featureCode, was, now))
    else
      refuseInUse(key, usersOfFeature(speakers, { product_id: productId, feature_code: featureCode }, { drafts: true }))
  }
}

/** Whether the feature goes away, or may lose an option. */
const isPoorer = (was: ProductFeature, now: ProductFeature | undefined) =>
  now === undefined || was.featureType !== now.featureType || !sameValue(was.enumOptions, now.enumOptions)
