import type { Draw } from './draw.ts'
import { collection, onOne, type StepKind, stepKind } from './steps.ts'
import { duration, text, word } from './values.ts'

const client = (draw: Draw) => ({
  name: word(draw),
  scopes: draw.several(2, () =>
    draw.oneOf(['admin.*:read', 'admin.products:*', 'operational.*:*', 'admin.tags:write']),
  ),
})

const settings = (draw: Draw) => ({
  lostDevices: draw.maybe(0.4, () => ({
    most: draw.oneOf([0, 1, '5']),
    within: draw.maybe(0.5, () => duration(draw)),
  })),
  provider: draw.maybe(0.5, () => ({
    name: text(draw),
    supportEmail: 'help@example.com',
    url: 'https://vendor.example',
  })),
  webhookRetention: draw.maybe(0.2, () => ({ delivered: duration(draw) })),
})

/** Nothing is sent to it: it is never verified, and so never becomes Active. */
const subscription = (draw: Draw) => ({
  name: draw.maybe(0.7, () => word(draw)),
  url: draw.oneOf([
    'https://hooks.example/a',
    'https://hooks.example/b',
    'https://hooks.example/ü?x=1',
    'http://hooks.example/',
  ]),
  eventTypes: draw.chance(0.1) ? ['Nothing.*'] : draw.oneOf([['*'], ['Entitlement.*'], ['User.Erased', 'Feedback.*']]),
  filter: draw.maybe(0.3, () => ({ entityKinds: ['entitlement'], attributes: { [word(draw)]: word(draw) } })),
  callbackScopes: draw.maybe(0.2, () => [draw.oneOf(['admin.entitlements:read', 'admin.*:delete'])]),
  signatureProfile: draw.maybe(0.3, () => draw.oneOf(['Default', 'StandardWebhooks'])),
})

const [create, ...others] = collection('webhooks.subscriptions', 0.3, subscription)

export const settingUpSteps: StepKind[] = [
  ...collection('admin.clients', 0.4, client),
  onOne('admin.clients.rotateSecret', 0.2, (draw) => ({ overlap: draw.maybe(0.5, () => duration(draw)) })),
  stepKind('admin.keys.rotate', 0.1, () => ({ purpose: 'token' })),
  onOne('admin.keys.get', 0.1),
  stepKind('admin.settings.get', 0.1),
  stepKind('admin.settings.update', 0.3, settings),
  create!,
  ...others.filter(({ operation }) => !operation.endsWith('.replace')),
  onOne('webhooks.subscriptions.rotateSecret', 0.1, (draw) => ({ overlap: draw.maybe(0.5, () => duration(draw)) })),
  stepKind('webhooks.integrations.create', 0.2, subscription),
  ...['get', 'delete'].map((deed) => onOne(`webhooks.integrations.${deed}`, 0.1)),
  ...[
    'discovery.jwks',
    'discovery.authorizationServer',
    'discovery.openidConfiguration',
    'scopes.list',
    'webhooks.schemas',
  ].map((one) => stepKind(one, 0.05)),
]
