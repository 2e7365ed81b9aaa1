import { numberText } from '../exact-numbers.ts'
import type { NamedReport } from '../tasks/report.ts'
import type { Canvas } from './canvas.ts'
import { stackedTable, wholeParts } from './stacking.ts'

type Cell = string | number | null

/** A part of a report: its heading, its columns, and its lines with how long the bar of each is, 0 to 1. */
interface Section {
  title: string
  headings: string[]
  lines: { cells: Cell[]; share: number | null }[]
  /** The column that the bars are of. */
  barred: string | undefined
}

/** The columns that say what a line is of; all others are told by their names where there is no room for a table. */
const namings = ['FROM', 'CURRENCY', 'SUITE', 'PLAN SET', 'PLAN', 'PRODUCT', 'METRIC', 'FEATURE', 'CAMPAIGN']

/** A report as tables, one for each of its parts that has lines; on a terminal with bars. */
export function reportLines(named: NamedReport, canvas: Canvas): string[] {
  const sections = sectionsOf(named).filter(({ lines }) => lines.length > 0)
  if (sections.length === 0) return ['There is nothing to report yet.']
  return sections.flatMap((section, at) => [
    ...(at === 0 ? [] : ['']),
    ...(sections.length === 1 ? [] : [canvas.colours.dim(section.title)]),
    ...sectionLines(section, canvas),
  ])
}

function sectionsOf(named: NamedReport): Section[] {
  switch (named.name) {
    case 'revenue':
      return revenueSections(named.report)
    case 'usage':
      return usageSections(named.report)
    case 'feature-value':
      return featureValueSections(named.report)
    case 'activations':
      return activationSections(named.report)
    case 'ratings':
      return ratingSections(named.report)
    case 'campaigns':
      return campaignSections(named.report)
  }
}

type ReportOf<Name> = Extract<NamedReport, { name: Name }>['report']

function revenueSections(report: ReportOf<'revenue'>): Section[] {
  type Plan = (typeof report.plans)[number]
  const ofPlan = { SUITE: (plan: Plan) => plan.suiteCode, 'PLAN SET': (plan: Plan) => plan.planSetName }
  const plan = { ...ofPlan, PLAN: (plan: Plan) => plan.planName }
  const counts = { ENTITLEMENTS: (plan: Plan) => plan.entitlements, TRIALS: (plan: Plan) => plan.trials }
  const rates = {
    CURRENCY: (sum: { currency: string | null }) => sum.currency,
    MONTHLY: (sum: { monthlyRunRate: number | null }) => cell(sum.monthlyRunRate),
    YEARLY: (sum: { yearlyRunRate: number | null }) => cell(sum.yearlyRunRate),
  }
  const monthlyOf = ({ currency }: Plan) => report.currencies.find((sum) => sum.currency === currency)?.monthlyRunRate
  return [
    section('By currency', report.currencies, { ...rates, ENTITLEMENTS: (sum) => sum.entitlements }),
    section('By product', report.products, {
      PRODUCT: (sum) => (sum.productCode === null ? sum.suiteCode : productName(sum)),
      ...rates,
      ENTITLEMENTS: (sum) => sum.entitlements,
    }),
    section(
      'By plan, with its part of the currency',
      report.plans,
      { ...plan, PRICE: (line) => cell(line.monthlyPrice), ...rates, ...counts },
      { MONTHLY: (line) => partOf(line.monthlyRunRate, monthlyOf(line) ?? null) },
    ),
    section(
      'By weight',
      report.weightedPlans,
      { ...plan, WEIGHT: (line) => cell(line.relativeWeight), SHARE: (line) => percent(line.share), ...counts },
      { SHARE: (line) => line.share },
    ),
    section('Not priced yet', report.unpricedPlans, { ...plan, ...counts }),
  ]
}

const usageSections = ({ metrics }: ReportOf<'usage'>): Section[] => [
  section(
    'Usage, with its overage',
    metrics,
    {
      PRODUCT: productName,
      METRIC: (line) => line.metricName,
      KIND: (line) => line.kind,
      USED: (line) => cell(line.usage),
      OVERAGE: (line) => cell(line.overage),
      UNIT: (line) => line.unit,
      ENTITLEMENTS: (line) => line.entitlements,
    },
    { OVERAGE: overageShare },
  ),
]

/** What part of the usage is overage; what a balance could not pay is beside its usage. */
function overageShare({ kind, usage, overage }: ReportOf<'usage'>['metrics'][number]): number | null {
  const [used, over] = [Number(numberText(usage)), Number(numberText(overage))]
  return shareOf(over, kind === 'Balance' ? used + over : used)
}

const featureValueSections = ({ features }: ReportOf<'feature-value'>): Section[] => [
  section(
    'Features',
    features,
    {
      PRODUCT: productName,
      FEATURE: (line) => line.featureCode,
      USED: (line) => cell(line.used),
      SCORE: (line) => cell(line.valueScore),
      VALUE: (line) => cell(line.value),
      SHARE: (line) => percent(line.share),
      ENTITLEMENTS: (line) => line.entitlements,
    },
    { SHARE: (line) => line.share },
  ),
]

function activationSections({ intervals }: ReportOf<'activations'>): Section[] {
  const most = Math.max(...intervals.map(({ seats }) => seats))
  const columns = {
    FROM: (line: (typeof intervals)[number]) => line.start.slice(0, 10),
    ACTIVATED: (line: (typeof intervals)[number]) => line.activations,
    RELEASED: (line: (typeof intervals)[number]) => line.released,
    REVOKED: (line: (typeof intervals)[number]) => line.revoked,
    LAPSED: (line: (typeof intervals)[number]) => line.lapsed,
    SEATS: (line: (typeof intervals)[number]) => line.seats,
  }
  return [section('Activations', intervals, columns, { SEATS: ({ seats }) => partOf(seats, most) })]
}

function ratingSections({ features, campaigns }: ReportOf<'ratings'>): Section[] {
  type Rated = Pick<(typeof features)[number], 'ratings' | 'average' | 'comments' | `rated${1 | 2 | 3 | 4 | 5}`>
  const figures = {
    RATINGS: (line: Rated) => line.ratings,
    AVERAGE: (line: Rated) => (line.average === null ? null : line.average.toFixed(2)),
    '1–5': (line: Rated) => [line.rated1, line.rated2, line.rated3, line.rated4, line.rated5].join(' / '),
    COMMENTS: (line: Rated) => line.comments,
  }
  const ofFive = { AVERAGE: ({ average }: Rated) => partOf(average, 5) }
  return [
    section(
      'By feature',
      features,
      { PRODUCT: productName, FEATURE: (line) => line.featureCode ?? '(product)', ...figures },
      ofFive,
    ),
    section('By campaign', campaigns, { CAMPAIGN: (line) => line.campaignName ?? '(none)', ...figures }, ofFive),
  ]
}

function campaignSections({ campaigns }: ReportOf<'campaigns'>): Section[] {
  const most = Math.max(...campaigns.map(({ issued }) => issued))
  type Campaign = (typeof campaigns)[number]
  const columns = {
    CAMPAIGN: (line: Campaign) => line.campaignName,
    SOURCE: (line: Campaign) => line.source,
    ISSUED: (line: Campaign) => line.issued,
    LIVE: (line: Campaign) => line.live,
    TRIALS: (line: Campaign) => line.trials,
    LAST: (line: Campaign) => line.lastIssuedAt?.slice(0, 10) ?? null,
  }
  return [section('Campaigns', campaigns, columns, { ISSUED: ({ issued }) => partOf(issued, most) })]
}

const section = <Line>(
  title: string,
  lines: readonly Line[],
  columns: Record<string, (line: Line) => Cell>,
  bars: Record<string, (line: Line) => number | null> = {},
): Section => {
  const [barred, shareOf] = Object.entries(bars)[0] ?? []
  return {
    title,
    headings: Object.keys(columns),
    lines: lines.map((line) => ({
      cells: Object.values(columns).map((of) => of(line)),
      share: shareOf?.(line) ?? null,
    })),
    barred,
  }
}

function sectionLines({ headings, lines, barred }: Section, canvas: Canvas): string[] {
  const hasBars = Number.isFinite(canvas.width) && lines.some(({ share }) => share !== null)
  const named = headings.findIndex((heading) => !namings.includes(heading))
  const rows = lines.map(({ cells, share }) => {
    const bar = barOf(share)
    const texts = cells.map((cell) => (cell === null ? '' : String(cell)))
    const fact = (heading: string | undefined, text: string | undefined) =>
      heading !== undefined && text ? `${heading.toLowerCase()} ${text}` : null
    return {
      cells: hasBars ? [...cells, bar] : cells,
      head: texts.slice(0, named).filter(Boolean).join('  '),
      below: [...headings.slice(named).map((heading, at) => fact(heading, texts[named + at])), fact(barred, bar)],
    }
  })
  return stackedTable(hasBars ? [...headings, ''] : headings, rows, canvas, wholeParts)
}

const barLength = 16

/** A part of a whole, drawn; nothing where there is none. */
function barOf(share: number | null): string {
  if (share === null) return ''
  const filled = Math.round(Math.min(1, Math.max(0, share)) * barLength)
  return '█'.repeat(filled) + '░'.repeat(barLength - filled)
}

/** What part of a whole it is; null where one of them is not known, or there is no whole. */
const partOf = (part: number | null, whole: number | null): number | null =>
  part === null || whole === null ? null : shareOf(Number(numberText(part)), Number(numberText(whole)))

const shareOf = (part: number, whole: number) => (whole === 0 ? null : part / whole)

const percent = (share: number | null) => (share === null ? null : `${(share * 100).toFixed(1)} %`)

const productName = ({ productCode, productVersion }: { productCode: string | null; productVersion: string | null }) =>
  productVersion === null ? productCode : `${productCode}@${productVersion}`

/** A number that a double holds, as such: a column of them stands right. */
const cell = (value: number | null): Cell => (typeof value === 'object' ? value && numberText(value) : value)
