import { inputName } from '../input-files.ts'
import { type LicenseFile, readLicenseFile, readLicenseText } from '../licenses/license-file.ts'
import { maskedCode } from '../licenses/offline-request.ts'

/** What a file of a licence holds, and the same as one JSON document. Nothing of it is proved. Raises cli.input. */
export async function inspectLicense(path: string): Promise<{ file: LicenseFile; document: object }> {
  const file = readLicenseFile(await readLicenseText(path), inputName(path))
  return { file, document: { kind: file.kind, ...documentOf(file) } }
}

function documentOf(file: LicenseFile) {
  if (file.kind === 'offline-request') {
    const { request } = file
    const body = { ...request.body, activationCode: maskedCode(request.body.activationCode) }
    return { request: { ...request, body } }
  }
  const signature = 'not checked'
  if (file.kind === 'offline-response') return { signature, claims: file.response.claims }
  return { signature, header: file.token.header, claims: file.token.claims }
}
