import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'

/** What happened, as the server takes it: counted once under its transactionId, however often it is sent. */
export interface TransactionRecord {
  transactionId: number
  sessionId: string
  apiVersion: 1
  creationDateTime: string
  eventName: string
  /** JSON. */
  eventData: string
}

/** A record of the log; of those with the same key there is only one. */
interface Noted extends TransactionRecord {
  key?: string
}

/**
 * What happened and was not acknowledged yet: a file of JSON Lines that one process appends to. A record is on the disk
 * before `append` returns, and not in the file when it throws. Beside it stand the highest id that was acknowledged and the
 * keys that there were, so that none of them is ever used twice.
 */
export class UsageLog {
  readonly #file: string
  readonly #keys: Set<string>
  #pending: Noted[]
  #lastId: number

  constructor(file: string) {
    this.#file = file
    const [id, ...keys] = readIfThere(`${file}.acknowledged`).split('\n')
    const acknowledged = Number(id)
    // What stands behind the last line break was cut short by a crash: nobody was told that it is written.
    const lines = readIfThere(file).split('\n').slice(0, -1)
    const records = lines.map((line) => JSON.parse(line) as Noted)
    this.#pending = records.filter(({ transactionId }) => transactionId > acknowledged)
    this.#keys = new Set([...keys, ...this.#pending.flatMap(({ key }) => key ?? [])])
    this.#lastId = this.#pending.at(-1)?.transactionId ?? acknowledged
    this.#rewrite()
  }

  get pending(): readonly Noted[] {
    return this.#pending
  }

  /** Appends a record, unless there ever was one with its key. */
  append(sessionId: string, eventName: string, event: object, key?: string): void {
    if (key !== undefined && this.#keys.has(key)) return
    const record: Noted = {
      ...{ transactionId: this.#lastId + 1, sessionId, apiVersion: 1, creationDateTime: new Date().toISOString() },
      ...{ eventName, eventData: JSON.stringify(event), ...(key !== undefined && { key }) },
    }
    writeDurably(this.#file, 'a', lineOf(record))
    this.#lastId++
    this.#pending.push(record)
    if (key !== undefined) this.#keys.add(key)
  }

  /** Drops what the server has dealt with, but for its keys. The id is on the disk first: a crash in between only sends records again. */
  acknowledge(transactionId: number): void {
    replaceWhole(`${this.#file}.acknowledged`, [transactionId, ...this.#keys].join('\n'))
    this.#pending = this.#pending.filter((record) => record.transactionId > transactionId)
    this.#rewrite()
  }

  #rewrite(): void {
    replaceWhole(this.#file, this.#pending.map(lineOf).join(''))
  }
}

const lineOf = (record: Noted) => `${JSON.stringify(record)}\n`
const readIfThere = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : '')

function replaceWhole(file: string, text: string): void {
  writeDurably(`${file}.new`, 'w', text)
  renameSync(`${file}.new`, file)
}

/** All of the text or, on a full disk, nothing of it: a half line would swallow the next one. */
function writeDurably(file: string, flags: 'a' | 'w', text: string): void {
  const handle = openSync(file, flags, 0o600)
  const { size } = fstatSync(handle)
  try {
    writeFileSync(handle, text)
    fsyncSync(handle)
  } catch (error) {
    ftruncateSync(handle, size)
    throw error
  } finally {
    closeSync(handle)
  }
}
