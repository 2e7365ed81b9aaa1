import type { Draw } from './draw.ts'
import { type Known, noSuchId } from './known.ts'
import { collection, onOne, type StepKind, stepKind } from './steps.ts'
import { duration, featureCode, featureValue, instant, tags, text, word } from './values.ts'

const activationPolicy = (draw: Draw, known: Known) => ({
  requiredAuthenticationLevel: draw.maybe(0.2, () => draw.oneOf(['Default', 'SignedIn', 'EmailVerified'])),
  requireProductCode: draw.maybe(0.1, () => true),
  requireActivationWorkflow: draw.maybe(0.05, () => true),
  requireOrganizationGroupMember: draw.maybe(0.1, () => known.id('admin.organizationGroups')),
  allowedIpCidr: draw.maybe(0.1, () => [draw.oneOf(['127.0.0.0/8', '10.0.0.0/8', '::1/128'])]),
  requirePreConfiguredDeviceIdentification: draw.maybe(0.05, () => true),
  requiredDeviceIdentificationSignatureLength: draw.maybe(0.1, () => draw.oneOf([0, 4, '8'])),
})

const licensePolicy = (draw: Draw) => ({
  licenseModel: draw.maybe(0.8, () => draw.oneOf(['NodeLocked', 'Floating', 'InactivityBased'])),
  maxDeviceActivations: draw.maybe(0.7, () => draw.oneOf([1, 2, 3, '5', null])),
  leaseTime: draw.maybe(0.4, () => duration(draw)),
  graceTime: draw.maybe(0.4, () => duration(draw)),
  inactivityTimeout: draw.maybe(0.3, () => duration(draw)),
  concurrentInstances: draw.maybe(0.2, () => draw.chance(0.5)),
  componentMatchingStrategy: draw.maybe(0.3, () => draw.oneOf(['MatchAll', 'MatchAny', 'Two', 'Most'])),
  allowedApplicationScopes: draw.maybe(0.1, () => draw.several(2, () => word(draw))),
  allowRelease: draw.maybe(0.2, () => draw.chance(0.7)),
})

const trialPolicy = (draw: Draw) => ({
  enabled: draw.chance(0.8),
  duration: draw.maybe(0.6, () => duration(draw)),
  startsOn: draw.maybe(0.6, () => draw.oneOf(['Activation', 'Creation'])),
})

const anonymousTryPolicy = (draw: Draw) => ({
  enabled: draw.chance(0.8),
  duration: draw.maybe(0.5, () => duration(draw)),
  maxDevices: draw.maybe(0.5, () => 1 + draw.below(3)),
})

const renewalPolicy = (draw: Draw) => ({
  period: draw.maybe(0.8, () => draw.oneOf(['Daily', 'Weekly', 'Monthly', 'Monthly', 'Quarterly', 'Yearly'])),
  autoRenew: draw.maybe(0.7, () => draw.chance(0.6)),
  expiringNotice: draw.maybe(0.4, () => duration(draw)),
  planChangeApproval: draw.maybe(0.6, () => draw.oneOf(['Automatic', 'Manual'])),
})

// Codes have no part that each world draws by itself where they are looked for or put in order.
const keyIssuancePolicy = (draw: Draw) => ({
  enabled: draw.maybe(0.5, () => draw.chance(0.9)),
  template: draw.maybe(0.5, () =>
    draw.oneOf(['{random:5}-{random:5}', 'K{seq:4}-{random:8}', '{year}-{productCode}-{random:9}{check}']),
  ),
  alphabet: draw.maybe(0.4, () => draw.oneOf(['CrockfordBase32', 'Base32', 'Hex'])),
  caseStyle: draw.maybe(0.3, () => draw.oneOf(['Upper', 'Lower'])),
  checksum: draw.maybe(0.3, () => draw.oneOf(['None', 'LuhnModN'])),
  sequenceScope: draw.maybe(0.3, () => draw.oneOf(['Entitlement', 'Product', 'Tenant'])),
  sequenceStart: draw.maybe(0.2, () => draw.below(100)),
})

const policies = {
  activation: activationPolicy,
  license: licensePolicy,
  trial: trialPolicy,
  anonymousTry: anonymousTryPolicy,
  renewal: renewalPolicy,
  keyIssuance: keyIssuancePolicy,
}

const featureOf = (draw: Draw) => ({
  featureCode: featureCode(draw),
  value: draw.maybe(0.8, () => featureValue(draw)),
  isEnabled: draw.maybe(0.3, () => draw.chance(0.7)),
})

const withExpiration = (draw: Draw, known: Known) => ({
  ...featureOf(draw),
  featureExpiration: draw.maybe(0.3, () => instant(draw, known)),
})

/** A product, rather one with something to be metered. */
const soldProduct = (draw: Draw, known: Known) =>
  draw.maybe(0.7, () => known.value('admin.monitoredAssets', 'productId')) ?? known.id('admin.products')

/** An entitlement's plan: a set, and a plan of it. */
const plan = (draw: Draw, known: Known) => {
  const set = known.one('admin.planSets', ({ status, plans }) => status === 'Published' && plans.length > 0)
  return set && { assignedPlanSetId: set.id, assignedPlanName: draw.oneOf<{ name: string }>(set.plans).name }
}

const entitlement = (draw: Draw, known: Known) => ({
  name: draw.oneOf(['CAD Team', 'cad team', 'Ärzte', word(draw), word(draw)]),
  version: draw.maybe(0.4, () => draw.oneOf(['1', '2', '10'])),
  description: draw.maybe(0.2, () => text(draw)),
  status: draw.maybe(0.9, () => draw.oneOf(['Draft', 'Active', 'Active', 'Active', 'Active', 'Active', 'Suspended'])),
  issueOnUserRegistration: draw.maybe(0.1, () => true),
  allowAnonymousTry: draw.maybe(0.2, () => true),
  isEntitlementTrial: draw.maybe(0.1, () => draw.chance(0.5)),
  notValidBeforeDateTime: draw.maybe(0.08, () => instant(draw, known)),
  expirationDateTime: draw.maybe(0.3, () => instant(draw, known)),
  reference: draw.maybe(0.2, () => word(draw)),
  externalReference: draw.maybe(0.2, () => word(draw)),
  metadata: draw.maybe(0.2, () => text(draw)),
  activationPolicy: draw.maybe(0.12, () => activationPolicy(draw, known)),
  licensePolicy: draw.maybe(0.5, () => licensePolicy(draw)),
  trialPolicy: draw.maybe(0.25, () => trialPolicy(draw)),
  anonymousTryPolicy: draw.maybe(0.2, () => anonymousTryPolicy(draw)),
  renewalPolicy: draw.maybe(0.4, () => renewalPolicy(draw)),
  keyIssuancePolicy: draw.maybe(0.2, () => keyIssuancePolicy(draw)),
  tags: draw.maybe(0.3, () => tags(draw)),
  products: draw.maybe(0.8, () =>
    draw.several(2, () => ({
      productId: soldProduct(draw, known),
      features: draw.maybe(0.4, () => draw.several(2, () => withExpiration(draw, known))),
    })),
  ),
  ...draw.maybe(0.4, () => plan(draw, known)),
  customerContactEmail: draw.maybe(0.2, () => 'ann@example.com'),
  customerContactName: draw.maybe(0.2, () => word(draw)),
  customerId: draw.maybe(0.4, () => known.id('admin.customers')),
  orderId: draw.maybe(0.2, () => word(draw)),
  licenseKey: draw.maybe(0.1, () => `KEY-${draw.below(50)}`),
  campaignId: draw.maybe(0.2, () => known.id('admin.campaigns')),
  features: draw.maybe(0.15, () => draw.several(2, () => withExpiration(draw, known))),
})

const offer = (draw: Draw, known: Known) => {
  const { customerId, licenseKey, campaignId, orderId, ...rest } = entitlement(draw, known)
  return draw.chance(0.05) ? { ...rest, customerId, licenseKey, campaignId, orderId } : rest
}

const workflow = (draw: Draw, known: Known) => ({
  activationCode: draw.maybe(0.3, () => `CODE-${draw.below(200)}`),
  requiredAuthenticationLevel: draw.maybe(0.1, () => draw.oneOf(['Default', 'SignedIn'])),
  preAuthorizedDevices: draw.maybe(0.1, () => draw.several(3, () => `device-${draw.below(6)}`)),
  maxDeviceActivations: draw.maybe(0.4, () => draw.oneOf([1, 2, '3'])),
  useEntitlementMaxActivations: draw.maybe(0.1, () => true),
  email: draw.maybe(0.2, () => 'bob1@example.com'),
  isTrialActivation: draw.maybe(0.15, () => draw.chance(0.7)),
  requiresUserConsent: draw.maybe(0.05, () => true),
  organizationGroupId: draw.maybe(0.05, () => known.id('admin.organizationGroups')),
  requiredUserId: draw.maybe(0.05, () => known.id('admin.users')),
  expirationTimeStamp: draw.maybe(0.2, () => instant(draw, known)),
})

const fromOffer = (operation: string, weight: number): StepKind =>
  stepKind(
    operation,
    weight,
    (draw, known) => {
      const found = known.one('admin.offers')
      if (!found) return undefined
      return {
        ...(draw.chance(0.8)
          ? { entitlementOfferId: found.id }
          : {
              fromEntitlementOfferName: found.name,
              withEntitlementOfferVersion: draw.maybe(0.5, () => found.version),
            }),
        includeTrial: draw.maybe(0.4, () => draw.chance(0.5)),
        entitlementParameters: draw.maybe(0.9, () => {
          const { name, customerId, campaignId, expirationDateTime, tags } = entitlement(draw, known)
          return {
            name,
            status: draw.chance(0.9) ? 'Active' : 'Draft',
            customerId,
            campaignId,
            expirationDateTime,
            tags,
          }
        }),
        licenseActivationWorkflowParameters: draw.maybe(0.5, () => workflow(draw, known)),
      }
    },
    (known, made) => {
      known.remember('admin.entitlements', made.entitlement)
      if (made.activationWorkflow)
        known.remember(codes, { ...made.activationWorkflow, activationCode: made.activationCode })
    },
  )

const codes = 'admin.entitlements.activationCodes'

/** A step about one of an entitlement's codes, by the ids of both. */
const onCode = (operation: string, weight: number): StepKind =>
  stepKind(operation, weight, (_, known) => {
    const code = known.one(codes)
    return code && { id: code.entitlementId, codeId: code.id }
  })

const renewal = (draw: Draw, known: Known) =>
  draw.chance(0.5) ? { until: instant(draw, known) } : { periods: draw.oneOf([undefined, 1, 2, '3']) }

const ofEntitlement = { kind: 'admin.entitlements' }
const product = (_: Draw, known: Known) => ({ productId: known.id('admin.products') ?? noSuchId })
const addOn = (_: Draw, known: Known) => ({
  addOnId: known.id('admin.addOns', ({ status }) => status === 'Published') ?? noSuchId,
})
const principal = (_: Draw, known: Known) => ({ principalId: known.id('admin.users') ?? noSuchId })

export const entitlementSteps: StepKind[] = [
  ...collection('admin.offers', 5, offer),
  ...collection('admin.entitlements', 5, entitlement),
  fromOffer('admin.offers.fromOffer', 8),
  fromOffer('operational.entitlements.fromOffer', 2),
  ...['admin.offers', 'admin.entitlements'].flatMap((kind) => {
    const share = kind === 'admin.offers' ? 0.2 : 1
    return [
      ...Object.entries({ activate: 'Draft', suspend: 'Active', resume: 'Suspended', cancel: 'Active' }).map(
        ([deed, before]) =>
          onOne(`${kind}.${deed}`, share * (deed === 'cancel' ? 0.2 : 0.8), undefined, {
            isOne: ({ status }) => status === before,
          }),
      ),
      onOne(`${kind}.disableActivations`, 0.2 * share),
      onOne(`${kind}.enableActivations`, 0.4 * share),
      ...Object.entries(policies).flatMap(([name, policy]) => [
        onOne(`${kind}.policies.${name}.get`, 0.1 * share, undefined, { kind }),
        onOne(`${kind}.policies.${name}.replace`, 0.4 * share, policy, { kind }),
      ]),
      onOne(`${kind}.products.attach`, 2 * share, product, { kind }),
      stepKind(`${kind}.products.detach`, 0.3 * share, (draw, known) => {
        const found = known.one(kind, ({ products }) => products.length > 0)
        return found && { id: found.id, productId: draw.oneOf<{ id: string }>(found.products).id }
      }),
    ]
  }),
  onOne('admin.entitlements.applyPlan', 4, (draw, known) => {
    const set = known.one('admin.planSets', ({ plans }) => plans.length > 0)
    return { planSetId: set?.id ?? noSuchId, planName: set ? draw.oneOf<{ name: string }>(set.plans).name : 'Pro' }
  }),
  {
    ...onOne('admin.entitlements.addOns.apply', 4, addOn, ofEntitlement),
    learn: (known, _, { id, addOnId }) => known.remember('applied', { id: `${id} ${addOnId}`, input: { id, addOnId } }),
  },
  stepKind('admin.entitlements.addOns.remove', 0.5, (_, known) => known.value('applied', 'input')),
  {
    ...onOne('admin.entitlements.principals.assign', 4, principal, ofEntitlement),
    learn: (known, _, { id, principalId }) =>
      known.remember('assigned', { id: `${id} ${principalId}`, entitlementId: id, principalId }),
  },
  onOne('admin.entitlements.principals.remove', 0.3, principal, ofEntitlement),
  onOne('admin.entitlements.principals.list', 0.3, undefined, ofEntitlement),
  onOne('admin.entitlements.renew', 0.6, renewal),
  onOne('operational.entitlements.renew', 0.6, renewal, ofEntitlement),
  onOne('admin.entitlements.restartTrial', 0.3),
  onOne('operational.entitlements.restartTrial', 0.3, undefined, ofEntitlement),
  onOne(`${codes}.issue`, 7, workflow, ofEntitlement),
  {
    ...onOne('operational.entitlements.activationCodes.issue', 2, workflow, ofEntitlement),
    learn: (known, code) => known.remember(codes, code),
  },
  onOne(`${codes}.list`, 0.5, undefined, ofEntitlement),
  onCode(`${codes}.get`, 0.3),
  onCode(`${codes}.revoke`, 0.3),
  onCode(`${codes}.delete`, 0.2),
  onCode('operational.entitlements.activationCodes.delete', 0.1),
]
