/** What a thread that reads is asked; what belongs to a moment is read as of its first statement. */
export type Asked = Statement | { momentOver: number }
interface Statement {
  number: number
  text: string
  parameters: readonly unknown[]
  moment: number | undefined
}
/** What it tells. */
export type Told =
  | { number: number; rows: unknown[] }
  | { number: number; failure: { message: string; code: string | undefined } }
