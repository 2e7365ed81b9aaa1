import type { Draw } from './draw.ts'
import type { Known } from './known.ts'

const words = [
  'Alpha',
  'beta',
  'Beta',
  'Zürich',
  'zurich',
  'ÀB',
  'ΣΑΣ',
  'σας',
  'x_y',
  'x%y',
  'a b',
  'a-b',
  '日本',
  '10',
  '9',
]

/** A name of those that stores could order, fold or match in different ways. */
export const word = (draw: Draw): string => `${draw.oneOf(words)}${draw.chance(0.5) ? draw.below(4) : ''}`

export const text = (draw: Draw): string | null =>
  draw.oneOf([null, '', 'seats', 'Ünïcode 🎉', 'quo\'te"s', 'back\\slash', '100% _sure_', word(draw), 'two\nlines'])

/** Amounts that a store could round. */
export const amount = (draw: Draw): number | string =>
  draw.oneOf([1, 2, 3, 5, 10, 0.1, 0.3, 2.5, 100, '0.1', '7.000000000000000001', 1e3, 12345.678, '1e2'])

/** An instant about the clock's, before and after; some with an offset or parts of a second. */
export const instant = (draw: Draw, known: Known): string => {
  const days = draw.chance(0.25) ? draw.oneOf([-400, -40, -2, -0.1, 0]) : draw.oneOf([0.01, 0.5, 1, 3, 10, 40, 400])
  const at = new Date(now(known) + days * 86_400_000 + draw.oneOf([0, 0, 1, 123])).toISOString()
  return draw.chance(0.1) ? at.replace('Z', '+00:00') : at
}

/** Now on the clock of the worlds, as an earlier answer told it. */
export const now = (known: Known): number => Date.parse(known.one('clock').now)

export const duration = (draw: Draw): string =>
  draw.oneOf(['PT0S', 'PT1S', 'PT10M', 'PT1H', 'PT36H', 'P1D', 'P3D', 'P7D', 'P1M', 'P1Y', '1.00:00:00'])

export const tags = (draw: Draw): string[] =>
  draw.several(3, () => draw.oneOf(['beta', 'Beta', 'core', 'Çore', 'çore', 'σας', 'ΣΑΣ', 'a/b']))

const tier = (draw: Draw, start: number, end: number | null) => ({
  name: draw.maybe(0.5, () => word(draw)),
  startUsage: start,
  endUsage: end,
  baseCredits: draw.maybe(0.3, () => draw.oneOf([0, 1, 2.5])),
  creditsPerUnitOfConsumption: draw.maybe(0.6, () => draw.oneOf([0, 1, 0.1, '0.05', 3])),
  quotaUsageLevel: draw.maybe(0.7, () => draw.oneOf(['None', 'Normal', 'Warning', 'Critical', 'OverUsage'])),
  quotaUsagePolicy: draw.maybe(0.8, () =>
    draw.oneOf([
      'None',
      'NotifyOnly',
      'AllowWithOverage',
      'AllowWithOverage',
      'AllowWithGrace',
      'RateLimit',
      'Deny',
      'SuspendUsage',
    ]),
  ),
  fundingBalanceMetric: draw.maybe(0.3, () => balanceName(draw)),
})

export const meterName = (draw: Draw): string => (draw.chance(0.75) ? 'calls' : draw.oneOf(['exports', 'Calls']))
export const balanceName = (draw: Draw): string => (draw.chance(0.8) ? 'credits' : 'tokens')
export const metricName = (draw: Draw): string => (draw.chance(0.6) ? meterName(draw) : balanceName(draw))

/** Tiers that follow one another; now and then with a gap between them. */
export function usageTiers(draw: Draw) {
  const bounds = [0, ...draw.oneOf([[10], [5, 20], [1, 2, 3.5], [100, 1000]])]
  return bounds.map((start, index) => {
    const end = bounds[index + 1] ?? draw.oneOf([null, start + 50])
    return tier(draw, draw.chance(0.02) ? start + 1 : start, end)
  })
}

/** A value of a feature, whatever its type is. */
export const featureValue = (draw: Draw) =>
  draw.oneOf([null, 'true', true, '5', 5, '0.5', 'small', 'large', '{"a":1}', '10'])

export const featureCode = (draw: Draw): string =>
  draw.oneOf(['SEATS', 'EXPORT', 'CALLS', 'SIZE', 'NOTE', 'Ü-F', 'seats'])

/** A text's part, as a search would have it. */
export const partOf = (draw: Draw, whole: string): string => whole.slice(draw.below(2), 1 + draw.below(whole.length))
