import type { ReportItem } from '../../cli/tasks/catalog-report.ts'
import type { Comparison } from '../../cli/tasks/compare.ts'

/** A comparison with an environment called production that says what it is told to; every item is on a line of its own. */
export function comparisonOf(
  items: ReportItem[],
  more: Partial<Omit<Comparison, 'report'>> & { report?: Partial<Comparison['report']> } = {},
): Comparison {
  const count = (action: string) => items.filter((item) => item.action === action).length
  const onlyHere = more.report?.onlyHere ?? []
  const lineOf = new Map(items.map(({ key }, index) => [key, index * 10 + 1]))
  return {
    before: { name: 'production', tenant: 'acme' },
    after: { name: 'catalog', isFiles: true },
    milliseconds: 180,
    placeOf: (key, path = '') => {
      const line = lineOf.get(key)
      if (line === undefined) return undefined
      const at = line + (path === '' ? 0 : 1)
      return { file: 'catalog/all.yaml', line: at, col: 5, endLine: at, endCol: 9, frame: '' }
    },
    ...more,
    report: {
      formatVersion: '1.0',
      comparedAt: '2026-01-01T00:00:00Z',
      sourceTenantId: null,
      targetTenantId: 'id',
      environmentRevision: '418',
      summary: {
        create: count('create'),
        update: count('update'),
        unchanged: 431,
        onlyHere: onlyHere.length,
        errors: 0,
        warnings: more.report?.warnings?.length ?? 0,
      },
      items,
      onlyHere,
      errors: [],
      warnings: [],
      ...more.report,
    },
  }
}

/** An item that changes one field. */
export const updated = (kind: string, key: string, field: string, before: unknown, after: unknown): ReportItem => ({
  kind,
  key,
  action: 'update',
  changes: [{ path: `/${field}`, before, after }],
})
