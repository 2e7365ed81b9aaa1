import type { NamedProduct } from '../../catalog/products/product-names.ts'
import type { CodeRow } from '../../entitlements/activation-codes/lookup.ts'
import type { EntitlementRow } from '../../entitlements/entitlements/loading.ts'
import type { Seats } from '../seating/seats.ts'
import type { Asked } from './asking.ts'
import type { Granted } from './granted.ts'
import type { SessionRow } from './licensed.ts'

/** What a decision looks at and changes: operations are decided one after another on it, before anything is written. */
export interface Scene {
  /** Now on the tenant's clock, in milliseconds, for all that is decided together. */
  now: number
  codesByKey: ReadonlyMap<string, CodeRow>
  codesById: ReadonlyMap<string, CodeRow>
  /** The tenant's live entitlements that are spoken of. */
  entitlements: Map<string, Granted>
  /** Their products. */
  products: ReadonlyMap<string, NamedProduct>
  /** Whose trials begin with the first activation of a device that is decided here, as they were before, each with that activation. */
  begun: { row: EntitlementRow; asked: Asked }[]
  sessions: SessionsAtHand
  /** The first trial of a device by a code that gives trials, released or not, by the device's key. */
  firstTrials: Map<string, SessionRow>
  /** `ENTITLEMENT FINGERPRINT` of what is blocked. */
  blocked: ReadonlySet<string>
  /** Devices that are blocked on an entitlement, by its id, with the components by which one of them is known. */
  blockedAlike: ReadonlyMap<string, readonly AlikeDevice[]>
  /** `GROUP USER` of who is a member of what is asked for. */
  members: ReadonlySet<string>
  entitlementSeats: Seats
  codeSeats: Seats
  /** Whether the seats of an entitlement are nobody else's to take or free until all is written, and what lapsed of them is freed. */
  isHeld(entitlementId: string): boolean
}

/** A device as its components tell of it. */
export type AlikeDevice = Pick<SessionRow, 'id' | 'holder' | 'components'>

/** Whether a device that has these fingerprints is blocked on an entitlement by one of them. */
export const isBlocked = ({ blocked }: Scene, entitlementId: string, fingerprints: readonly string[]) =>
  fingerprints.some((fingerprint) => blocked.has(`${entitlementId} ${fingerprint}`))

/** By what an open session is found again: within what, which device, which running instance. */
export const deviceKey = (holder: string, fingerprint: string, instanceId: string) =>
  JSON.stringify([holder, fingerprint, instanceId])

/** The same of a session. */
export const keyOf = ({ holder, fingerprint, instance_id }: SessionRow) => deviceKey(holder, fingerprint, instance_id)

const isOpen = ({ released_at, revoked_at }: SessionRow) => released_at === null && revoked_at === null

/** The sessions that are spoken of, as they are while operations are decided one after another. */
export class SessionsAtHand {
  readonly #read = new Map<string, SessionRow>()
  readonly #now = new Map<string, SessionRow>()
  readonly #byDevice = new Map<string, SessionRow>()

  constructor(rows: readonly SessionRow[]) {
    for (const row of rows) {
      this.#read.set(row.id, row)
      this.#keep(row)
    }
  }

  find = (id: string) => this.#now.get(id)

  /** The open session of a device. */
  findByDevice = (key: string) => this.#byDevice.get(key)

  /** The open sessions within one holder. */
  openOf = (holder: string) => [...this.#byDevice.values()].filter((row) => row.holder === holder)

  /** Keeps a session as it is now, a new one or a known one, and answers it. */
  put(row: SessionRow): SessionRow {
    const before = this.#now.get(row.id)
    if (before) this.#byDevice.delete(keyOf(before))
    this.#keep(row)
    return row
  }

  /** What is to be written: sessions that are new, and known ones that have changed, with what they were when they were read. */
  changes() {
    const added: SessionRow[] = []
    const changed: { row: SessionRow; before: SessionRow }[] = []
    for (const row of this.#now.values()) {
      const before = this.#read.get(row.id)
      if (!before) added.push(row)
      else if (before !== row) changed.push({ row, before })
    }
    return { added, changed }
  }

  #keep(row: SessionRow): void {
    this.#now.set(row.id, row)
    if (isOpen(row)) this.#byDevice.set(keyOf(row), row)
  }
}
