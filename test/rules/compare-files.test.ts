import { describe, expect, test } from 'vitest'
import type { Snapshot } from '../../catalog-schema/snapshot.ts'
import { selectFromSnapshot } from '../../cli/selection/selecting.ts'
import { compareSnapshots } from '../../cli/tasks/compare-files.ts'
import { checked } from '../support/applied-plan.ts'

const catalog = (sections: Partial<Snapshot>): Snapshot => checked({ formatVersion: '1.0', ...sections })
const external = (...keys: string[]) => ({
  references: Object.fromEntries(keys.map((key) => [key, { presence: 'External' as const }])) as Snapshot['references'],
})

const before = catalog({ addOns: [{ suiteCode: 'ELSEWHERE', code: 'MORE', name: 'More' }] })
const given = { addOns: [{ suiteCode: 'ELSEWHERE', code: 'MORE', name: 'Even more' }] }

describe('catalogs in files', () => {
  test('may name what is stated as External', () => {
    const report = compareSnapshots(before, catalog({ ...given, ...external('suite:ELSEWHERE') }))
    expect(report.errors).toEqual([])
    expect(report.items).toMatchObject([{ key: 'add-on:MORE', action: 'update' }])
  })

  test('may not name what neither has and nobody states', () => {
    const { errors } = compareSnapshots(before, catalog({ ...given, ...external('suite:OTHER') }))
    expect(errors).toMatchObject([{ key: 'add-on:MORE', codeName: 'catalog.unresolved_reference' }])
  })

  test('bring along nothing for what is stated as External', () => {
    const product = (name: string) => ({ productCode: 'CAD', name })
    const suite = (name: string, description: string) => ({
      code: 'DESIGN',
      name,
      description,
      members: [{ productCode: 'CAD' }, { productCode: 'ELSEWHERE' }],
    })
    const held = catalog({ products: [product('CAD')], suites: [suite('Design', '')] })
    const wanted = { products: [product('New')], suites: [suite('Design', 'New')] }
    const patterns = { only: ['suite:*'], exclude: ['product:*'] }
    const { snapshot } = selectFromSnapshot(held, catalog({ ...wanted, ...external('product:ELSEWHERE') }), patterns)
    expect(snapshot.products).toBeUndefined()
  })
})
