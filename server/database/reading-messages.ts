/** What a thread that reads is asked. */
export interface Asked {
  number: number
  text: string
  parameters: readonly unknown[]
}
/** What it tells. */
export type Told =
  | { number: number; rows: unknown[] }
  | { number: number; failure: { message: string; code: string | undefined } }
