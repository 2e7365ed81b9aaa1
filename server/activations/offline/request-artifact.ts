/** What a device without a network asks for, as a file that somebody carries. */
export interface RequestArtifact {
  meta: { schemaVersion: 1; nonce: string; requestedAt: string; sdkVersion?: string | null }
  body: {
    activationCode: string
    fingerprint: string
    applicationInfo?: ApplicationInfo | null
    components?: { [Name in (typeof componentNames)[number]]?: string | null } | null
  }
}
type ApplicationInfo = { [Name in (typeof applicationInfoNames)[number]]?: string | null }

const componentNames = ['MachineName', 'MacAddress', 'OsVersion', 'UserName'] as const
const applicationInfoNames = [
  'applicationName',
  'installedApplicationVersion',
  'applicationInstanceName',
  'applicationScope',
] as const
