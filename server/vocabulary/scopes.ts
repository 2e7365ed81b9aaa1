/** The resources that scopes name, by audience: the path segment, and what it opens. */
export const scopeResources = {
  admin: {
    products: 'products and the features attached to them',
    'feature-catalog': 'the feature catalog',
    'monitored-assets': 'monitored assets',
    suites: 'suites',
    'usage-plans': 'plan sets and their plans',
    'add-ons': 'add-ons',
    tags: 'the tag registry',
    catalog: 'the catalog as one document: compare, export (read), import (write)',
    entitlements: 'entitlements and entitlement offers',
    sessions: 'license sessions',
    users: 'end users',
    customers: 'customers',
    'organization-groups': 'organization groups',
    campaigns: 'campaigns',
    'rating-campaigns': 'rating campaigns, and the ratings that are given',
    feedback: 'feedback items',
    'plan-change-requests': 'plan-change requests',
    'data-subject-requests': 'data-subject requests',
    reports: 'reports',
    clients: 'API clients',
    keys: 'signing keys',
    settings: 'settings of the tenant',
    audit: 'the audit log',
    'test-clock': 'the test clock of a sandbox tenant',
  },
  operational: {
    activations: 'no operation so far (offline issue is one of entitlements)',
    entitlements: 'the life of entitlements: codes, renewal, balances, offline issue',
    users: 'tokens for signed-in end users',
  },
  webhooks: {
    subscriptions: 'webhook subscriptions',
    deliveries: 'webhook deliveries',
    integrations: 'webhook subscriptions of integrators',
  },
} as const

export type Audience = keyof typeof scopeResources
export const scopeVerbs = ['read', 'create', 'update', 'delete'] as const
export type ScopeVerb = (typeof scopeVerbs)[number]
