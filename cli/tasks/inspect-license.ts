import { inputName } from '../input-files.ts'
import { licenseOf } from '../licenses/license-claims.ts'
import { readLicenseFile, readLicenseText } from '../licenses/license-file.ts'
import { maskedCode } from '../licenses/offline-request.ts'
import { licenseLines, requestLines } from '../screens/license.ts'

/** What a file of a licence holds: as one JSON document, and as lines for a person. Nothing of it is proved. Raises cli.input. */
export async function inspectLicense(path: string, now: number): Promise<{ document: object; lines: string[] }> {
  const file = readLicenseFile(await readLicenseText(path), inputName(path))
  if (file.kind === 'offline-request') {
    const { request } = file
    const body = { ...request.body, activationCode: maskedCode(request.body.activationCode) }
    const lines = ['Offline request (licet offline issue answers it)', ...requestLines(request, now)]
    return { document: { kind: file.kind, request: { ...request, body } }, lines }
  }
  const notChecked = { kind: file.kind, signature: 'not checked' }
  if (file.kind === 'offline-response') {
    const { claims } = file.response
    const lines = [
      'Offline licence (signature not checked: licet offline verify)',
      ...licenseLines(licenseOf(claims), now),
    ]
    return { document: { ...notChecked, claims }, lines }
  }
  const { header, claims } = file.token
  const lines = ['License token (signature not checked: licet license verify)', ...licenseLines(licenseOf(claims), now)]
  return { document: { ...notChecked, header, claims }, lines }
}
