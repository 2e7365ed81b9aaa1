import { Uuid } from '../../../catalog-schema/scalars.ts'
import { Closed } from '../../../catalog-schema/shapes.ts'
import { MetricRecord, metricFilterFields } from '../../catalog/metrics/contract.ts'
import { listQuery, pageOf } from '../../kit/collection.ts'
import { contract, provision } from '../../kit/contract.ts'

export const listAssetsOfSession = contract({
  name: 'admin.monitoredAssets.listBySession',
  method: 'GET',
  path: `${provision}/admin/monitored-assets/by-session/{sessionId}`,
  access: 'admin.monitored-assets:read',
  summary: 'List the monitored assets of a license session',
  description: 'Those that its entitlement meters with.',
  params: Closed({ sessionId: Uuid({ description: 'The id of the session.' }) }),
  query: listQuery,
  answer: pageOf(MetricRecord),
  filterable: metricFilterFields.map(({ name }) => name),
  notSortable: ['tags'],
  problems: ['license.record_not_found'],
})
