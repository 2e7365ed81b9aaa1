import { expect } from 'vitest'
import type { Snapshot } from '../../catalog-schema/snapshot.ts'
import { convertPriceList } from '../../cli/tasks/convert/price-list.ts'

/** A price list that says no more than it must. */
export const minimal = { saasName: 'Acme Cad', version: '2026', currency: 'EUR' }
export const boolean = { valueType: 'BOOLEAN', defaultValue: false, type: 'DOMAIN' }
export const limit = (fields: object) => ({ valueType: 'NUMERIC', defaultValue: 5, ...fields })
export const convert = (fields: object) => convertPriceList({ ...minimal, ...fields })

export type Fields = Record<string, unknown>
/** The one item of a list that has no other. */
export const only = (items: unknown): Fields => {
  expect(items).toHaveLength(1)
  return (items as Fields[])[0]!
}
/** The values that a plan of the one plan set gives, by the code of their feature. */
export const planValues = (snapshot: Snapshot, name: string) => {
  const plans = only(snapshot.plans).plans as Fields[]
  const plan = plans.find((candidate) => candidate.name === name)!
  const values = only(plan.lineItems).featureValues as Fields[]
  return Object.fromEntries(values.map((value) => [value.featureCode, value]))
}
