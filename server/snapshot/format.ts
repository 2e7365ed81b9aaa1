import { formatVersion } from '../../catalog-schema/snapshot-format.ts'
import { Problem } from '../kit/problem.ts'

/** Throws catalog.format_version for a snapshot that says it is written in a format that this server does not read. */
export function refuseOtherFormat(snapshot: unknown): void {
  const said = (snapshot as { formatVersion?: unknown } | null | undefined)?.formatVersion
  if (typeof said === 'string' && said !== formatVersion)
    throw new Problem('catalog.format_version', `This server reads formatVersion "${formatVersion}", not "${said}".`)
}
