/** What is likely wrong with a delivery that does not verify, or odd about one that does; scripts branch on it. */
export type HintCode =
  | 'body_empty'
  | 'body_line_break'
  | 'body_line_endings'
  | 'body_byte_order_mark'
  | 'body_encoding'
  | 'body_reserialised'
  | 'body_wrapped'
  | 'body_truncated'
  | 'body_longer'
  | 'secret_undecoded'
  | 'secret_prefix'
  | 'secret_blanks'
  | 'secret_wrapped'
  | 'secret_malformed'
  | 'secret_hex'
  | 'timestamp_form'
  | 'timestamp_of_another'
  | 'id_of_another'
  | 'id_timestamp_swapped'
  | 'signed_parts'
  | 'signature_prefix'
  | 'signature_base64url'
  | 'signature_hex'
  | 'signature_separator'
  | 'signature_malformed'
  | 'other_headers'
  | 'wrong_secret'

/** One way in which what was signed can differ from what is here. */
export interface Deviation {
  code: HintCode
  /** The end of the sentence "Signature 1 fits secret 1 if …". */
  condition: string
  /** What to do about it, in sentences. */
  advice: string
}

/** Something that could have been signed, or signed with, in the place of what is here; no deviation for that itself. */
export interface Candidate<Value> {
  value: Value
  deviation: Deviation | null
}
