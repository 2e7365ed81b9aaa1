import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Log, PhysicalLocation, ReportingDescriptor, Result } from 'sarif'
import type { Finding } from '../../catalog-files/findings.ts'
import { version } from '../../version.ts'
import { visible } from '../../visible-text.ts'
import { findingRules } from './finding-rules.ts'

/** The most results of a run that GitHub code scanning takes. */
const mostResults = 25_000
/** The name by which a consumer resolves paths: the root of the repository. Where that is on this machine is not told. */
const sourceRoot = '%SRCROOT%'

/**
 * Findings as a SARIF 2.1.0 log with one run. Paths start at the root of the repository, as code scanning reads them,
 * where `pathOf` knows one. The fingerprint of a finding is made of what it is about, not of its line, so that it stays
 * the same when lines move.
 */
export function sarifLog(findings: readonly Finding[], pathOf: (file: string) => string | undefined): Log {
  const ids = [...new Set([...Object.keys(findingRules), ...findings.map(({ codeName }) => codeName)])]
  const indexOf = new Map(ids.map((id, index) => [id, index]))
  const fingerprints = new Map<string, number>()
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'licet', semanticVersion: version, version, rules: ids.map(describeRule) } },
        invocations: [{ executionSuccessful: true }],
        originalUriBaseIds: { [sourceRoot]: { description: { text: 'The root of the repository.' } } },
        columnKind: 'utf16CodeUnits',
        results: findings.slice(0, mostResults).map((finding): Result => {
          const { codeName, severity, message, key } = finding
          const identity = identityOf(finding, pathOf)
          const nth = (fingerprints.get(identity) ?? 0) + 1
          fingerprints.set(identity, nth)
          return {
            ruleId: codeName,
            ruleIndex: indexOf.get(codeName) ?? -1,
            level: severity,
            message: { text: plainText(message) },
            locations: [
              {
                physicalLocation: locationOf(finding, pathOf),
                ...(key === undefined
                  ? {}
                  : { logicalLocations: [{ fullyQualifiedName: visible(key), kind: 'member' }] }),
              },
            ],
            // The name that code scanning reads; it would make one of the line's text otherwise.
            partialFingerprints: { primaryLocationLineHash: `${identity}:${nth}` },
          }
        }),
      },
    ],
  }
}

function describeRule(id: string): ReportingDescriptor {
  const { says, help, isCaution = false } = findingRules[id] ?? { says: id, help: 'The message says what to do.' }
  return {
    id,
    shortDescription: { text: says },
    fullDescription: { text: `${says} ${help}` },
    help: { text: help },
    defaultConfiguration: { level: isCaution ? 'warning' : 'error' },
  }
}

function locationOf(
  { file, line, col, endLine, endCol }: Finding,
  pathOf: (file: string) => string | undefined,
): PhysicalLocation {
  const path = pathOf(file)
  const artifactLocation =
    path !== undefined
      ? { uri: path.split('/').map(encodeURIComponent).join('/'), uriBaseId: sourceRoot }
      : { uri: file === 'stdin' ? 'stdin' : pathToFileURL(resolve(file)).href }
  return { artifactLocation, region: { startLine: line, startColumn: col, endLine, endColumn: endCol } }
}

/** A digest of the rule, the file, the item and the field; of the line's text where there is no item. */
function identityOf(
  { codeName, file, key, pointer, frame }: Finding,
  pathOf: (file: string) => string | undefined,
): string {
  const field = pointer.replace(/^\/[^/]+\/\d+/, '')
  const text = key === undefined ? (/^\d+ \| (.*)/.exec(frame)?.[1] ?? '').trim() : ''
  return createHash('sha256')
    .update(JSON.stringify([codeName, pathOf(file) ?? file, key ?? null, field, text]))
    .digest('hex')
    .slice(0, 16)
}

/** Text in which nothing is a link: SARIF 2.1.0 §3.11.6 reads `[…](…)` in a message as one. */
function plainText(message: string): string {
  const shown = visible(message, { lines: true })
  return shown.includes('](') ? shown.replace(/[\\[\]]/g, '\\$&') : shown
}
