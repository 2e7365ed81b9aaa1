import { onOne, type StepKind, stepKind } from './steps.ts'
import { instant } from './values.ts'

const moments = ['PT0.001S', 'PT1S', 'PT7S', 'PT61S', 'PT13M', 'PT59M59S']
const spans = [
  'PT1H',
  'PT5H7M',
  'PT5H7M',
  'PT23H',
  'P1D',
  'P1DT1S',
  'P3D',
  'P3DT0.001S',
  'P6DT23H',
  'P17D',
  'P31D',
  'P1Y1D',
]

const report = (operation: string, hasPeriod = true): StepKind =>
  stepKind(operation, 0.4, (draw, known) => ({
    from: draw.maybe(hasPeriod ? 0.4 : 0, () => instant(draw, known)),
    to: draw.maybe(hasPeriod ? 0.4 : 0, () => instant(draw, known)),
    interval: draw.maybe(operation.endsWith('activations') ? 0.5 : 0, () => draw.oneOf(['Day', 'Week', 'Month'])),
  }))

export const timeSteps: StepKind[] = [
  stepKind('admin.testClock.advance', 8, (draw, known) =>
    draw.chance(0.05) ? { to: instant(draw, known) } : { by: draw.oneOf(draw.chance(0.7) ? moments : spans) },
  ),
  stepKind('admin.testClock.get', 0.2),
  ...['activations', 'campaigns', 'featureValue', 'ratings', 'usage'].map((one) => report(`admin.reports.${one}`)),
  report('admin.reports.revenue', false),
  onOne('admin.audit.get', 0.2),
]
