import type { Kind } from '../../../catalog-schema/order.ts'
import { Problem } from '../../problems.ts'

type Fields = Record<string, string>

/** What stands in for a name until somebody thinks of a better one. */
export const placeholderNames: Record<Kind, string> = {
  tag: 'New tag',
  product: 'NEW-PRODUCT',
  feature: 'NEW_FEATURE',
  monitoredAsset: 'new-metric',
  suite: 'NEW-SUITE',
  planSet: 'New plans',
  addOn: 'NEW-ADD-ON',
  entitlementOffer: 'New offer',
  ratingCampaign: 'New campaign',
}

/** The field that holds an item's own name. */
export const nameField: Record<Kind, string> = {
  tag: 'name',
  product: 'productCode',
  feature: 'featureCode',
  monitoredAsset: 'metricName',
  suite: 'code',
  planSet: 'name',
  addOn: 'code',
  entitlementOffer: 'name',
  ratingCampaign: 'name',
}

/**
 * The natural-key fields that a name spells: an item's own name, or its whole key as in reports
 * (`ACME-CAD@2.0/EXPORT_STEP`, `Product/Beta`), percent-encoded as there. Raises cli.usage.
 */
export function readItemName(kind: Kind, name: string): Fields {
  const slash = name.lastIndexOf('/')
  const [owner, own] = slash < 0 ? ['', name] : [name.slice(0, slash), name.slice(slash + 1)]
  if (owner !== '' && !['tag', 'feature', 'monitoredAsset', 'planSet'].includes(kind))
    throw new Problem('cli.usage', `"${name}" is no name of this kind: a "/" in it is written %2F.`)
  if (own === '') throw new Problem('cli.usage', 'The name is empty.')
  if (kind === 'product') return readVersioned(own, 'productCode', 'productVersion')
  if (kind === 'entitlementOffer') return readVersioned(own, 'name', 'version')
  return { ...readOwner(kind, owner), [nameField[kind]]: decode(own) }
}

function readOwner(kind: Kind, owner: string): Fields {
  if (owner === '') return {}
  if (kind === 'tag') return { scope: decode(owner) }
  if (kind === 'planSet') return { suiteCode: decode(owner) }
  return readVersioned(owner, 'productCode', 'productVersion')
}

function readVersioned(text: string, codeField: string, versionField: string): Fields {
  const at = text.lastIndexOf('@')
  if (at <= 0) return { [codeField]: decode(text) }
  return { [codeField]: decode(text.slice(0, at)), [versionField]: decode(text.slice(at + 1)) }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Problem('cli.usage', `"${text}" is no name: a "%" in it is written %25.`)
  }
}
