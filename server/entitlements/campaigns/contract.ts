import { Type } from 'typebox'
import { Name, NullableInstant, NullableText, Uuid } from '../../../catalog-schema/scalars.ts'
import { Closed } from '../../../catalog-schema/shapes.ts'
import { collectionContracts, idParams, listQuery, pageOf } from '../../kit/collection.ts'
import { contract, provision } from '../../kit/contract.ts'
import { Instant, recordId, recordTail } from '../../kit/records/answers.ts'
import { bodyOf } from '../../kit/records/body.ts'
import { recordKind } from '../../kit/records/kind.ts'
import { touchFilterFields } from './touches.ts'

const campaignFields = {
  name: Name(200, { description: 'Tells the campaigns of the tenant apart.' }),
  description: NullableText(20_000, { description: 'What it is about, in prose.' }),
  source: NullableText(200, { description: 'Where it reaches people, such as newsletter.' }),
  startsAt: NullableInstant({ description: 'When it begins.' }),
  endsAt: NullableInstant({ description: 'When it is over; after its beginning.' }),
}

export const campaignClears = { clearStartsAt: 'startsAt', clearEndsAt: 'endsAt' } as const

export const campaignKind = recordKind('campaigns', campaignFields)

/** A campaign as it is answered. */
const CampaignRecord = Closed(
  { ...recordId, ...campaignFields, ...recordTail },
  { description: 'An effort of marketing that entitlements are attributed to.' },
)

export const campaignContracts = collectionContracts({
  name: 'admin.campaigns',
  noun: 'campaign',
  plural: 'campaigns',
  path: 'admin/campaigns',
  scope: 'campaigns',
  record: CampaignRecord,
  create: bodyOf(campaignFields, ['name']),
  update: bodyOf(campaignFields, [], campaignClears),
  replace: bodyOf(campaignFields, ['name'], campaignClears),
  filterable: campaignKind.filterFields.map(({ name }) => name),
})

const Touch = Closed(
  {
    ...recordId,
    campaignId: Uuid(),
    entitlementId: Uuid({ description: 'The entitlement that was made because of the campaign.' }),
    kind: Type.String({ description: 'Issuance: an entitlement was made.' }),
    touchedAt: Instant('When that was.'),
  },
  { description: 'Something that a campaign led to.' },
)

export const listTouchesContract = contract({
  name: 'admin.campaigns.touches',
  method: 'GET',
  path: `${provision}/admin/campaigns/{id}/touches`,
  access: 'admin.campaigns:read',
  summary: 'List what a campaign led to',
  params: idParams,
  query: listQuery,
  answer: pageOf(Touch),
  filterable: touchFilterFields.map(({ name }) => name),
  problems: ['license.record_not_found'],
})
