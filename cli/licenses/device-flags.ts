import { string } from '@oclif/core/flags'
import type { InferredFlags } from '@oclif/core/interfaces'
import { readSecret } from '../input-files.ts'
import { nearest } from '../nearest.ts'
import { exitCodes, Problem } from '../problems.ts'
import { askSecret } from '../prompts/asking.ts'
import { type ActivationBody, type ApplicationInfo, componentHash, componentNames } from './offline-request.ts'

/** What a device says of itself when it asks for a licence, online or not. */
export const deviceFlags = {
  'activation-code': string({
    summary: 'The activation code; a file or the variable keeps it out of the list of processes.',
    helpValue: 'CODE',
  }),
  'activation-code-file': string({ summary: 'The file with the activation code; - for stdin.', helpValue: 'FILE' }),
  fingerprint: string({ required: true, summary: 'What tells the device from every other.', helpValue: 'TEXT' }),
  'application-name': string({ summary: 'The name of the application.', helpValue: 'NAME' }),
  'application-version': string({ summary: 'The version that is installed.', helpValue: 'VERSION' }),
  'application-instance': string({ summary: 'The name of this installation.', helpValue: 'NAME' }),
  'application-scope': string({
    summary: 'The application scope, where the entitlement allows some only.',
    helpValue: 'SCOPE',
  }),
  component: string({
    multiple: true,
    multipleNonGreedy: true,
    summary: `A part of the device (${componentNames.join(', ')}), by which it is known when its fingerprint changes; repeatable.`,
    description: 'Only its SHA-256 is sent. A value of 64 hexadecimal digits is taken for the hash itself.',
    helpValue: 'NAME=VALUE',
  }),
}

/** The flags of a device as they were given. */
type DeviceFlags = InferredFlags<typeof deviceFlags>

/** What the flags ask with; what was not given is left out. Asks for the code where nobody gave it. Raises cli.usage, cli.input, cli.answer_needed. */
export async function readDevice(flags: DeviceFlags): Promise<ActivationBody> {
  const application: ApplicationInfo = {
    ...given('applicationName', flags['application-name']),
    ...given('installedApplicationVersion', flags['application-version']),
    ...given('applicationInstanceName', flags['application-instance']),
    ...given('applicationScope', flags['application-scope']),
  }
  const components = readComponents(flags.component ?? [])
  if (flags.fingerprint.trim() === '') throw new Problem('cli.usage', '--fingerprint is empty.')
  return {
    activationCode: await readCode(flags),
    fingerprint: flags.fingerprint,
    ...(Object.keys(application).length > 0 && { applicationInfo: application }),
    ...(Object.keys(components).length > 0 && { components }),
  }
}

const given = (name: keyof ApplicationInfo, value: string | undefined): ApplicationInfo =>
  value === undefined ? {} : { [name]: value }

/** The code: of the file, where one is named. Where nobody can be asked for it, it is missing like any flag that is required. */
async function readCode({ 'activation-code': code, 'activation-code-file': file }: DeviceFlags): Promise<string> {
  const answeredBy = '--activation-code-file FILE (- for stdin), --activation-code, or LICET_ACTIVATION_CODE'
  const found =
    file === undefined
      ? (code ?? (await askSecret('Activation code:', answeredBy, exitCodes.usage)))
      : await readSecret(file)
  if (found.trim() === '') throw new Problem('cli.usage', 'The activation code is empty.', { hint: answeredBy })
  return found.trim()
}

function readComponents(texts: readonly string[]): Record<string, string> {
  const parts = texts.map((text) => [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)] as const)
  for (const [at, [name, value]] of parts.entries()) {
    if (name === '' || value === '' || !texts[at]!.includes('='))
      throw new Problem('cli.usage', 'A --component is written NAME=VALUE.', { hint: componentNames.join(', ') })
    if (!(componentNames as readonly string[]).includes(name)) {
      const [meant] = nearest(name, componentNames)
      throw new Problem('cli.usage', `A --component is written NAME=VALUE, and "${name}" is no name of one.`, {
        hint: meant === undefined ? `one of ${componentNames.join(', ')}` : `--component ${meant}=VALUE`,
      })
    }
    if (parts.findIndex(([other]) => other === name) !== at)
      throw new Problem('cli.usage', `--component ${name} is given twice.`)
  }
  return Object.fromEntries(parts.map(([name, value]) => [name, componentHash(value)]))
}
