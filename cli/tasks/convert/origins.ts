import type { Section } from '../../../catalog-schema/order.ts'
import type { DeclaredFeature } from './declared-feature.ts'
import type { Place } from './place.ts'

/** What fields of the catalog are made of, where that is neither a name nor a code. */
const madeOf = {
  product: { displayVersion: 'version', revisionInformation: 'createdAt', informationUrl: 'url' },
  feature: {
    description: 'description',
    moduleName: 'type',
    tags: 'tag',
    unit: 'unit',
    units: 'unit',
    value: 'defaultValue',
  },
  member: { description: 'description' },
} satisfies Record<string, Record<string, string>>

/**
 * Where the field that a path leads to, within the item at an index of a section of the converted catalog, comes from: an
 * RFC 6901 pointer into the price list.
 */
export type OriginOf = (section: Section, index: number, path: readonly string[]) => string

/** The origins of what a price list and the features and limits that it declares come to. */
export function originsIn(priceList: Place, all: readonly DeclaredFeature[]): OriginOf {
  const metered = all.filter(({ meter }) => meter)
  const inPart = (kind: keyof typeof madeOf, pointer = '', field = '') => {
    const source = new Map(Object.entries(madeOf[kind])).get(field)
    return source === undefined ? pointer : `${pointer}/${source}`
  }
  const inMember = (section: string, index: number, field?: string) =>
    inPart('member', priceList.field(section).members()[index]?.[1].pointer, field)
  return (section, index, [field, inner, innerField]) => {
    if (section === 'featureCatalog') return inPart('feature', all[index]?.pointer, field)
    if (section === 'monitoredAssets') return inPart('feature', metered[index]?.pointer, field)
    if (section === 'addOns') return inMember('addOns', index, field)
    if (section === 'plans') return field === 'plans' ? inMember('plans', Number(inner), innerField) : '/plans'
    if (field === 'features') return inPart('feature', all[Number(inner)]?.pointer, innerField)
    return field === 'productInformation' ? inPart('product', '', inner) : '/saasName'
  }
}
