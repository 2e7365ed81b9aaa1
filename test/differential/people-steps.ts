import type { Draw } from './draw.ts'
import { type Known, noSuchId } from './known.ts'
import { collection, onOne, type StepKind, stepKind } from './steps.ts'
import { featureCode, instant, now, text, word } from './values.ts'

type Json = ReturnType<typeof JSON.parse>

const email = (draw: Draw): string =>
  `${draw.oneOf(['ann', 'Ann', 'bob', 'zoë', 'carl'])}${draw.below(6)}@example.${draw.oneOf(['com', 'COM', 'org'])}`

const customer = (draw: Draw) => ({
  name: word(draw),
  email: draw.maybe(0.5, () => email(draw)),
  externalReference: draw.maybe(0.5, () => word(draw)),
  description: draw.maybe(0.2, () => text(draw)),
  metadata: draw.maybe(0.2, () => text(draw)),
})

const user = (draw: Draw) => ({
  email: email(draw),
  emailVerified: draw.maybe(0.6, () => draw.chance(0.8)),
  displayName: draw.maybe(0.5, () => word(draw)),
  externalReference: draw.maybe(0.3, () => word(draw)),
  isDisabled: draw.maybe(0.05, () => true),
  metadata: draw.maybe(0.2, () => text(draw)),
})

const group = (draw: Draw, known: Known) => ({
  name: word(draw),
  description: draw.maybe(0.2, () => text(draw)),
  externalReference: draw.maybe(0.2, () => word(draw)),
  members: draw.maybe(0.6, () => draw.several(3, () => known.id('admin.users') ?? '')),
})

const campaign = (draw: Draw, known: Known) => ({
  name: word(draw),
  source: draw.maybe(0.3, () => word(draw)),
  startsAt: draw.maybe(0.4, () => instant(draw, known)),
  endsAt: draw.maybe(0.3, () => instant(draw, known)),
})

const ratingCampaign = (draw: Draw, known: Known) => ({
  name: word(draw),
  description: draw.maybe(0.2, () => text(draw)),
  isEnabled: draw.maybe(0.9, () => draw.chance(0.9)),
  startsAt: draw.maybe(0.2, () => instant(draw, known)),
  endsAt: draw.maybe(0.2, () => instant(draw, known)),
  targets: draw.maybe(0.9, () =>
    draw.several(3, () => ({
      featureCatalogId: known.id('admin.featureCatalog'),
      question: draw.maybe(0.4, () => text(draw)),
      priority: draw.maybe(0.6, () => draw.below(3)),
    })),
  ),
})

/** A user whose token still holds, but for a few. */
export const signedInUser = (known: Known) =>
  known.one('signed-in', ({ until }) => until * 1000 > now(known) || known.draw.chance(0.03))

/** What a signed-in user asks, by a token that was issued to them. */
const asUser = (
  operation: string,
  weight: number,
  input: (draw: Draw, known: Known, userId: string) => object | undefined = () => ({}),
): StepKind => ({
  operation,
  weight,
  draw(draw, known) {
    const signedIn = signedInUser(known)
    const drawn = signedIn && input(draw, known, signedIn.id)
    return drawn && { token: signedIn.token, input: drawn }
  },
})

const withId =
  (kind: string, more: (draw: Draw, known: Known) => object = () => ({})) =>
  (draw: Draw, known: Known) => {
    const id = known.id(kind)
    return id === undefined ? undefined : { id, ...more(draw, known) }
  }

/** The id of an entitlement, mostly one of the user's own. */
const withOwnEntitlement =
  (more: (draw: Draw, known: Known) => object = () => ({})) =>
  (draw: Draw, known: Known, userId: string) => {
    const own = known.value('assigned', 'entitlementId', ({ principalId }) => principalId === userId)
    return { id: draw.chance(0.9) && own ? own : (known.id('admin.entitlements') ?? noSuchId), ...more(draw, known) }
  }

const note = (draw: Draw) => ({ note: draw.maybe(0.5, () => text(draw)) })

export const feedbackItem = (draw: Draw, known: Known) => ({
  kind: draw.oneOf(['FeatureRequest', 'ProblemReport', 'GeneralComment']),
  text: word(draw),
  productId: draw.maybe(0.5, () => known.id('admin.products')),
  featureCode: draw.maybe(0.4, () => featureCode(draw)),
  replyTo: draw.maybe(0.3, () => email(draw)),
})

export const rating = (draw: Draw, known: Known) => {
  const sessionId = known.id('admin.sessions')
  const feature = known.one('admin.featureCatalog')
  if (sessionId === undefined) return undefined
  return {
    sessionId,
    productId: draw.maybe(0.8, () => feature?.productId),
    featureId: draw.maybe(0.6, () => draw.oneOf([feature?.id, '00000000-0000-0000-0000-000000000000'])),
    featureCode: draw.maybe(0.4, () => feature?.featureCode),
    rating: draw.oneOf([1, 3, 5, '4', null, 6]),
    remark: draw.maybe(0.5, () => text(draw)),
  }
}

export const peopleSteps: StepKind[] = [
  ...collection('admin.customers', 2, customer),
  ...collection('admin.users', 4, user),
  ...collection('admin.organizationGroups', 1.5, group),
  ...collection('admin.campaigns', 1, campaign),
  ...collection('admin.ratingCampaigns', 2, ratingCampaign),
  onOne('admin.campaigns.touches', 0.3),
  onOne('admin.organizationGroups.members.add', 0.6, (_, known) => ({ userId: known.id('admin.users') ?? noSuchId }), {
    kind: 'admin.organizationGroups',
  }),
  onOne(
    'admin.organizationGroups.members.remove',
    0.3,
    (_, known) => ({ userId: known.id('admin.users') ?? noSuchId }),
    {
      kind: 'admin.organizationGroups',
    },
  ),
  {
    ...onOne(
      'operational.users.issueToken',
      4,
      (draw) => ({ level: draw.maybe(0.5, () => draw.oneOf(['SignedIn', 'EmailVerified', 'MultiFactor'])) }),
      { kind: 'admin.users' },
    ),
    learn: (known, { access_token: token }, { id }) =>
      known.remember('signed-in', { id, token: token.name, until: token.claims.exp }),
  },
  asUser('consumer.activationCodes.list', 0.5),
  asUser('consumer.sessions.list', 0.5),
  asUser('consumer.sessions.plans.list', 0.3, withId('admin.sessions')),
  asUser('consumer.sessions.release', 0.3, withId('admin.sessions')),
  {
    ...asUser('consumer.entitlements.plans.list', 2, withOwnEntitlement()),
    learn(known, { items }: Json, { id }: Json) {
      for (const { id: planId, planSetId, name: planName, isCurrent } of items)
        if (!isCurrent) known.remember('offered', { id: `${id} ${planId}`, entitlementId: id, planSetId, planName })
    },
  },
  asUser('consumer.entitlements.planChangeRequests.create', 3, (draw, known, userId) => {
    const isOwn = (one: Json) => known.one('assigned', ({ id }) => id === `${one.entitlementId} ${userId}`)
    const offered = known.one('offered', isOwn) ?? known.one('offered')
    return (
      offered && { id: offered.entitlementId, planSetId: offered.planSetId, planName: offered.planName, ...note(draw) }
    )
  }),
  asUser('consumer.entitlements.planChangeRequests.list', 0.3, withOwnEntitlement()),
  onOne('admin.planChangeRequests.approve', 1, note),
  onOne('admin.planChangeRequests.reject', 0.2, note),
  onOne('admin.planChangeRequests.get', 0.1),
  asUser('consumer.feedback.submit', 0.6, feedbackItem),
  asUser('consumer.feedback.list', 0.3),
  asUser('consumer.ratings.submit', 0.6, rating),
  onOne('admin.feedback.get', 0.2),
  onOne('admin.feedback.accept', 0.3, note, { isOne: ({ status }) => status === 'New' }),
  onOne('admin.feedback.decline', 0.3, (draw, known) => ({
    ...note(draw),
    duplicateOfId: draw.maybe(0.4, () => known.id('admin.feedback')),
  })),
  asUser('consumer.creditGrants.redeem', 0.8, (draw, known, userId) => {
    const isOwn = (one: Json) => known.one('assigned', ({ id }) => id === `${one.entitlementId} ${userId}`)
    const code = draw.maybe(0.8, () => known.value('granted', 'code', isOwn)) ?? known.value('granted', 'code')
    return code && { code }
  }),
  asUser('consumer.dataSubjectRequests.file', 0.7, (draw) => ({
    kind: draw.oneOf(['Access', 'Erasure', 'Rectification']),
    ...note(draw),
  })),
  asUser('consumer.dataSubjectRequests.list', 0.2),
  asUser('consumer.dataSubjectRequests.data', 0.3, withId('admin.dataSubjectRequests')),
  ...Object.entries({ approve: 'Filed', reject: 'Filed', complete: 'Approved' }).map(([deed, before]) =>
    onOne(`admin.dataSubjectRequests.${deed}`, deed === 'reject' ? 0.2 : 0.6, note, {
      isOne: ({ status }) => status === before,
    }),
  ),
  onOne('admin.dataSubjectRequests.get', 0.1),
  onOne('admin.dataSubjectRequests.data', 0.2),
  stepKind(
    'registrations.register',
    0.6,
    (draw, known) => ({
      email: email(draw),
      displayName: draw.maybe(0.5, () => word(draw)),
      activationCode: draw.maybe(0.4, () => known.value('admin.entitlements.activationCodes', 'activationCode')),
    }),
    (known, { confirmationToken }) => known.remember('confirmation', { id: confirmationToken }),
  ),
  stepKind('registrations.confirm', 0.4, (_, known) => {
    const token = known.id('confirmation')
    return token && { token }
  }),
  onOne('admin.registrations.confirm', 0.2),
]
