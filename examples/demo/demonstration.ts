import { execa } from 'execa'

type Running = ReturnType<typeof start>

const start = (
  file: string,
  args: readonly string[],
  options: { cwd: string; env: Record<string, string>; input?: string; cancelSignal: AbortSignal },
) => execa(file, args, { ...options, extendEnv: false, reject: false, all: true, stripFinalNewline: true })

/** The first and the last lines of a long text, and how many are between them. */
function shortened(text: string): string {
  const lines = text.split('\n')
  if (lines.length <= 20) return text
  return [...lines.slice(0, 10), `  … ${lines.length - 15} lines more …`, ...lines.slice(-5)].join('\n')
}

/** Commands run one after another in a directory of their own, each told with the reason before its output. */
export class Demonstration {
  readonly #binary: string
  readonly #directory: string
  readonly #begun = performance.now()
  readonly #interruption = new AbortController()
  #server: Running | undefined

  constructor(binary: string, directory: string) {
    this.#binary = binary
    this.#directory = directory
  }

  say(line: string) {
    process.stdout.write(`${line}\n`)
  }

  seconds(): string {
    return ((performance.now() - this.#begun) / 1000).toFixed(1)
  }

  /** Runs a command and shows what it says, long lists shortened; throws when it fails. Answers what it said. */
  run(why: string, ...args: string[]): Promise<string> {
    return this.#show(why, args, {})
  }

  /** The same, with every line. */
  runWhole(why: string, ...args: string[]): Promise<string> {
    return this.#show(why, args, { whole: true })
  }

  /** The same, with a text on its stdin. */
  runWith(input: string, why: string, ...args: string[]): Promise<string> {
    return this.#show(why, args, { input })
  }

  /** Runs a command and shows what it says on stdout. */
  runQuietly(why: string, ...args: string[]): Promise<string> {
    return this.#show(why, args, { quiet: true })
  }

  /** Runs a command with `--json` and answers its document, which is not shown: it may hold a secret. */
  async ask<Answer>(why: string, ...args: string[]): Promise<Answer> {
    const command = [...args, '--json']
    this.#announce(why, command)
    const ended = await this.#start(command)
    this.#interruption.signal.throwIfAborted()
    if (ended.exitCode !== 0) throw new Error(`licet ${command.join(' ')} failed:\n${ended.all}`)
    this.say('(the document holds a secret and is not shown here)')
    return JSON.parse(ended.stdout) as Answer
  }

  /** Starts a server on a free port and answers its URL, once it listens. */
  async serve(why: string): Promise<string> {
    const args = ['serve', '--port', '0', '--log-level', 'warn']
    this.#announce(why, args)
    const server = this.#start(args)
    this.#server = server
    const first = await Promise.race([
      new Promise<string>((heard) => server.stdout.once('data', (line) => heard(String(line)))),
      server.then(({ all }) => {
        throw new Error(`the server did not start:\n${all}`)
      }),
    ])
    this.say(first.trimEnd())
    return (JSON.parse(first) as { url: string }).url
  }

  /** Stops the server and waits for it; throws when it does not end well, unless it was interrupted. */
  async end() {
    const server = this.#server
    this.#server = undefined
    if (!server) return
    server.kill('SIGTERM')
    const { exitCode } = await server
    if (exitCode !== 0 && !this.#interruption.signal.aborted)
      throw new Error(`the server ended with exit code ${exitCode}`)
  }

  /** Stops what is running; nothing else is started. */
  interrupt() {
    process.exitCode = 130
    this.#interruption.abort(new Error('interrupted'))
  }

  async #show(
    why: string,
    args: string[],
    { input, quiet = false, whole = false }: { input?: string; quiet?: boolean; whole?: boolean },
  ) {
    this.#announce(why, args)
    const ended = await this.#start(args, input)
    // Ctrl-C reaches what is running, too, which may have ended before it is heard of here.
    if (ended.signal === 'SIGINT' || ended.exitCode === 130) this.interrupt()
    this.#interruption.signal.throwIfAborted()
    if (ended.exitCode !== 0) throw new Error(`licet ${args.join(' ')} failed:\n${ended.all}`)
    const said = quiet ? ended.stdout : ended.all
    this.say(whole ? said : shortened(said))
    return said
  }

  #announce(why: string, args: readonly string[]) {
    this.#interruption.signal.throwIfAborted()
    this.say(`\n# ${why}\n$ licet ${args.join(' ')}`)
  }

  #start(args: readonly string[], input = ''): Running {
    const { PATH = '', NODE_COMPILE_CACHE } = process.env
    const env = { HOME: this.#directory, PATH, ...(NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {}) }
    return start(process.execPath, [this.#binary, ...args], {
      cwd: this.#directory,
      env,
      input,
      cancelSignal: this.#interruption.signal,
    })
  }
}
