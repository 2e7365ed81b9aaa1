import { Type } from 'typebox'
import { quotaUsageLevels } from '../../../catalog-schema/enumerations.ts'
import { Name, OneOf, Text } from '../../../catalog-schema/scalars.ts'
import { Patchable, TextList } from '../../../catalog-schema/shapes.ts'
import { recordKind } from '../../kit/records/kind.ts'
import { events } from '../../vocabulary/events.ts'
import { signatureProfiles } from '../signing/signature.ts'
import type { SubscriptionFilter } from './matching.ts'
import { subscriptionOrigins, subscriptionStatuses } from './status.ts'

const entityKinds = [...new Set(Object.values(events).map(([kind]) => kind))]

const filterFields = {
  entityKinds: TextList('A kind of record.', {
    maxItems: entityKinds.length,
    items: OneOf(entityKinds),
    description: 'Only events about records of these kinds; of any kind when it is empty.',
  }),
  severities: TextList('A level of usage.', {
    maxItems: quotaUsageLevels.length,
    items: OneOf(quotaUsageLevels),
    description: 'Only events whose data have one of these in `level`; an event without one has none of them.',
  }),
  attributes: Type.Unsafe<SubscriptionFilter['attributes']>({
    type: 'object',
    additionalProperties: { type: ['string', 'number', 'boolean', 'null'], maxLength: 1000 },
    propertyNames: { minLength: 1, maxLength: 200 },
    maxProperties: 20,
    default: {},
    description:
      'Only events that have each of these values: under an attribute of the envelope, or else at a dotted path into the data, with or without `data.` before it. The number 1 and the text "1" are two values; null is what the data must say, too.',
    examples: [{ entityid: '0198c0de-0000-7000-8000-000000000000', trial: true }],
  }),
}

/** What a request may say of a subscription, beside its secret and its status. */
export const givenFields = {
  name: Name(300, { description: "What the subscription is for; the URL's host unless told." }),
  url: Text(2000, {
    min: 1,
    description:
      'Where events are posted to: https, at a public address, port 443 or one from 1024 on that belongs to no database or queue. Another URL has to be verified anew.',
    examples: ['https://crm.example.com/hooks/licet'],
  }),
  eventTypes: TextList('A type such as `Entitlement.Activated`, a prefix such as `Entitlement.*`, or `*`.', {
    minItems: 1,
    maxItems: 50,
    description: 'The events that are wanted. The challenge is sent whatever they say.',
    examples: [['Entitlement.*', 'MeteredUsage.OverageStatusChanged']],
  }),
  filter: Patchable(filterFields, [], {
    default: { entityKinds: [], severities: [], attributes: {} },
    description: 'Narrows the events further: all that is said here must hold, and what is empty narrows nothing.',
  }),
  callbackScopes: TextList('A scope that names a resource and one of read, create, update and write.', {
    maxItems: 100,
    description:
      'What each delivery carries a token for. The client that asks for a scope must be registered for it itself.',
    examples: [['admin.entitlements:read']],
  }),
  signatureProfile: OneOf(signatureProfiles, {
    default: 'Default',
    description:
      'How `webhook-timestamp` is written: as RFC 3339, or in Unix seconds, as the libraries of Standard Webhooks and Svix expect it.',
  }),
}

const ownFields = {
  status: OneOf(subscriptionStatuses, {
    default: 'PendingVerification',
    description: 'Only an Active one is sent events; Suspended are those whose endpoint failed for too long.',
  }),
  origin: OneOf(subscriptionOrigins, {
    default: 'Admin',
    description: 'Who subscribed: the vendor, or an integrator, whose endpoint need not sign its answer.',
  }),
}

export const subscriptionKind = recordKind('webhook_subscriptions', { ...givenFields, ...ownFields })
