import { type ChosenEnvironment, envWords } from '../environments/choosing.ts'
import { wantsJson } from '../global-switches.ts'
import { writeLicense } from '../licenses/writing.ts'
import { exitCodes, Problem } from '../problems.ts'
import { visible } from '../visible-text.ts'
import type { Subscription } from './tenant-records.ts'
import { challengeSubscription } from './webhook-subscriptions.ts'

/** How a subscription that was made is handed out. */
export interface HandingOut {
  environment: ChosenEnvironment
  /** What a person is shown of it. */
  lines: readonly string[]
  /** The file for a secret that was made. */
  out?: string | undefined
  /** Whether whoever subscribed has the secret already. */
  isOwnSecret: boolean
  /** Whether its endpoint is to be challenged. */
  verify?: boolean
}

/**
 * Hands out a subscription that was made, and returns the document of the run: the secret in a file, or shown this once,
 * before anything else can fail; then whether the endpoint passes its challenge, where that is asked. A challenge that is
 * not passed makes the run a negative answer.
 */
export async function handOutSubscription(
  { secret, ...subscription }: Subscription & { secret: string },
  { environment, lines, out, isOwnSecret, verify }: HandingOut,
): Promise<object> {
  const isShown = !isOwnSecret && out === undefined
  if (!isOwnSecret && out !== undefined) await writeSecret(out, secret, subscription.id, environment)
  if (!wantsJson()) {
    const where = isOwnSecret
      ? []
      : isShown
        ? [`  secret        ${secret}`, 'Keep the secret now: it is not shown again.']
        : [visible(`Wrote its secret to ${out}.`)]
    const told = ['Subscribed.', ...lines, ...where]
    process.stdout.write(told.map((line) => `${line}\n`).join(''))
  }
  const verification = verify ? await challenge(environment, subscription.id) : null
  if (!verify)
    say(`Next: licet webhook check ${subscription.id}${envWords(environment.name)}, once the endpoint has the secret`)
  return {
    ...subscription,
    ...(verification?.passed && verification.subscription),
    ...(isShown ? { secret } : {}),
    ...(!isOwnSecret && out !== undefined && { secretFile: out }),
    verification: verification && (verification.passed ? { passed: true } : verification),
  }
}

async function writeSecret(out: string, secret: string, id: string, { name }: ChosenEnvironment): Promise<void> {
  try {
    await writeLicense(out, `${secret}\n`)
  } catch (cause) {
    const why = cause instanceof Problem ? cause.message : String(cause)
    throw new Problem('cli.output', `Subscribed as ${id}, but its secret was not kept. ${why}`, {
      hint: `licet webhook remove ${id} --yes${envWords(name)}, then subscribe again`,
      cause,
    })
  }
}

type Verification =
  | { passed: true; subscription: Subscription }
  | { passed: false; codeName: string; message: string; hint: string | null }

async function challenge(environment: ChosenEnvironment, id: string): Promise<Verification> {
  try {
    const subscription = await challengeSubscription(environment, id)
    say(`The endpoint has passed its challenge; the subscription is ${subscription.status}.`)
    return { passed: true, subscription }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    process.exitCode = exitCodes.negative
    const { codeName, message, details } = error
    if (!wantsJson())
      process.stderr.write(visible(`Not verified: ${message}\n  Try: ${details.hint}\n`, { lines: true }))
    return { passed: false, codeName, message, hint: details.hint ?? null }
  }
}

function say(line: string): void {
  if (!wantsJson()) process.stdout.write(`${visible(line)}\n`)
}
