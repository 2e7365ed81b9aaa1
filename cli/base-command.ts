import { Command } from '@oclif/core/command'
import { boolean } from '@oclif/core/flags'
import type { Input, ParserOutput } from '@oclif/core/interfaces'
import { completeDefinition, withLists } from './command-definition.ts'
import { wantsJson } from './global-switches.ts'
import { withoutSecrets } from './held-secrets.ts'
import { printDocument } from './json-document.ts'
import { heedFormat } from './output-format.ts'
import { refuseBlanks, refuseSwitchValues, usageProblem } from './usage-problems.ts'
import { warn } from './warning.ts'

/**
 * What every command has: the global flags, usage errors that say what to do, and one JSON document when `--json` asks
 * for it. `run` returns the document and prints for people with `log`; a negative answer sets `process.exitCode` to 2.
 */
export abstract class LicetCommand extends Command {
  static override baseFlags = {
    json: boolean({ summary: 'Print one JSON document on stdout, failures included.', helpGroup: 'GLOBAL' }),
    'no-color': boolean({ summary: 'Print without colour (NO_COLOR does the same).', helpGroup: 'GLOBAL' }),
    'no-input': boolean({ summary: 'Never ask; fail and name the flag that answers.', helpGroup: 'GLOBAL' }),
  }

  /** Prints a line for people on stdout; nothing when the answer is a JSON document. */
  override log(line = '') {
    if (!this.jsonEnabled()) process.stdout.write(`${withoutSecrets(line)}\n`)
  }

  /** Warns on stderr, or in the JSON document's `warnings`. */
  override warn<Warning extends Error | string>(warning: Warning): Warning {
    warn(warning instanceof Error ? warning.message : String(warning))
    return warning
  }

  override jsonEnabled(): boolean {
    return wantsJson()
  }

  protected override async _run<Result>(): Promise<Result> {
    completeDefinition(this.ctor)
    const result: Result = await this.run()
    if (this.jsonEnabled()) printDocument(result)
    return result
  }

  protected override async parse<
    Flags extends Record<string, unknown>,
    BaseFlags extends Record<string, unknown>,
    Arguments extends Record<string, unknown>,
  >(options?: Input<Flags, BaseFlags, Arguments>, argv?: string[]): Promise<ParserOutput<Flags, BaseFlags, Arguments>> {
    try {
      refuseSwitchValues(this.argv, this.ctor)
      const parsed = await super.parse<Flags, BaseFlags, Arguments>(options, argv)
      refuseBlanks(parsed.raw)
      return { ...parsed, flags: withLists(parsed.flags, this.ctor.flags) }
    } catch (error) {
      if (this.ctor.flags?.format) heedFormat(this.argv)
      throw usageProblem(error, this.ctor)
    }
  }
}
