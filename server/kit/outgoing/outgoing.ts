/** How the service posts to other servers, as to the endpoints of webhooks. The keys of trusted issuers are fetched apart from it. */
export interface Outgoing {
  /** Whether addresses that are not public, and plain http, will do (`--allow-private-webhooks`). */
  readonly allowsPrivate: boolean
  /**
   * Posts a body and answers what came of it; never throws. No redirect is followed; of the answer at most 64 KiB are read; it
   * is over after 30 s, or when `signal` says so. The address is looked at when it is connected to.
   */
  post(request: OutgoingRequest): Promise<Reply>
  /** Lets go of every connection. */
  close(): Promise<void>
}

export interface OutgoingRequest {
  url: string
  headers: Record<string, string>
  body: Uint8Array
  signal?: AbortSignal
}

/** An answer, whatever its status, or why there was none, in words that reveal nothing of the network; and how long it took. */
export type Reply = Answered | { failure: string; millis: number }

export interface Answered {
  status: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** The first 64 KiB. */
  body: Buffer
  /** Whether there was more. */
  isCut: boolean
  millis: number
}
