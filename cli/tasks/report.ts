import { type ChosenEnvironment, environmentName } from '../environments/choosing.ts'
import { isObject } from '../json-objects.ts'
import { duringPhase } from '../progress.ts'
import { type ServerClient, serverClient } from '../server-client.ts'
import { foreignAnswer, jsonOf, textOf } from '../server-connection/answer-body.ts'
import { refusal } from '../server-connection/refusals.ts'
import type { Reports } from './tenant-records.ts'

export type ReportName = keyof Reports

/** A report with its name, by which its lines are known. */
export type NamedReport = { [Name in ReportName]: { name: Name; report: Reports[Name] } }[ReportName]

/** What a report may be asked for with; instants as text. */
export interface ReportQuery {
  from: string | undefined
  to: string | undefined
  interval: string | undefined
}

const readScope = 'admin.reports:read'

/** The lists that a report has, by its name. */
const listsOf: Record<ReportName, readonly string[]> = {
  revenue: ['plans', 'weightedPlans', 'unpricedPlans'],
  usage: ['metrics'],
  'feature-value': ['features'],
  activations: ['intervals'],
  ratings: ['features', 'featuresByCampaign'],
  campaigns: ['campaigns'],
}

/** How long a report may take: it waits for its turn, and may read millions of rows. */
const patienceMs = 10 * 60_000

/** A report, as JSON has it. */
export const readReport = async <Name extends ReportName>(
  environment: ChosenEnvironment,
  name: Name,
  query: ReportQuery,
): Promise<Reports[Name]> => {
  const { answer, host } = await askReport(environment, name, { ...query })
  const report = jsonOf(answer, host)
  const isReport = isObject(report) && listsOf[name].every((list) => Array.isArray(report[list]))
  if (!isReport) throw foreignAnswer(environment.url)
  return report as Reports[Name]
}

/** The lines of a report as CSV, as the server writes it. */
export const readReportCsv = async (environment: ChosenEnvironment, name: ReportName, query: ReportQuery) =>
  textOf((await askReport(environment, name, { ...query, format: 'csv' })).answer)

async function askReport(environment: ChosenEnvironment, name: string, query: Record<string, string | undefined>) {
  const server: ServerClient = serverClient(environment, [readScope])
  const host = new URL(environment.url).host
  const path = `/api/v1/provision/admin/reports/${name}`
  const answer = await duringPhase(`Reading from ${environmentName(environment)}`, () =>
    server.request('GET', path, { query, timeoutMs: patienceMs }),
  )
  if (answer.status >= 400) throw refusal(answer, host)
  return { answer, host }
}
