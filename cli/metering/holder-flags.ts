import { string } from '@oclif/core/flags'
import type { ParserOutput } from '@oclif/core/interfaces'
import { Problem } from '../problems.ts'
import { optionalEntitlementFlag } from '../record-ids.ts'
import { isTyped } from '../typed-flags.ts'

/** `--license FILE`: where the token is, since the token itself never goes on a command line. */
const license = { summary: 'The file with the license token, or - for stdin.', helpValue: 'FILE' }

/** `--license FILE`, for commands that only a device's session may give. */
export const licenseFlag = string({ ...license, required: true })

/** `--license FILE` or `--entitlement ID`. */
export const holderFlags = { license: string(license), entitlement: optionalEntitlementFlag }

/** Whose usage it is about: the session of the license token in a file, or an entitlement. */
export type Holder = { license: string } | { entitlement: string }

interface Parsed {
  flags: { license?: string; entitlement?: string }
  /** What stood on the command line; the rest of the flags is of the environment. */
  raw: ParserOutput['raw']
}

/** The one that is named: on the command line, or else by the environment. Raises cli.usage for both, and for none. */
export function holderOf({ flags, raw }: Parsed): Holder {
  const isGiven = (name: string) => !isTyped(raw, 'license', 'entitlement') || isTyped(raw, name)
  const license = isGiven('license') ? flags.license : undefined
  const entitlement = isGiven('entitlement') ? flags.entitlement : undefined
  if (license !== undefined && entitlement === undefined) return { license }
  if (entitlement !== undefined && license === undefined) return { entitlement }
  throw new Problem('cli.usage', 'Name either a licence or an entitlement.', {
    hint: '--license FILE, as the device; --entitlement ID, as the client of an environment',
  })
}
