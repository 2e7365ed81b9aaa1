/** The error codes of the token endpoint (RFC 6749 §5.2); the last one is ours, for a caller that fails too often. */
export type TokenErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'unsupported_grant_type'
  | 'invalid_scope'
  | 'temporarily_unavailable'

const statuses: Record<TokenErrorCode, number> = {
  invalid_request: 400,
  invalid_client: 401,
  unsupported_grant_type: 400,
  invalid_scope: 400,
  temporarily_unavailable: 429,
}

/** A token request that is refused; `message` becomes error_description, so it has no quotation mark and no backslash. */
export class TokenRefused extends Error {
  readonly code: TokenErrorCode
  readonly headers: Record<string, string>

  constructor(code: TokenErrorCode, message: string, headers: Record<string, string> = {}) {
    super(message)
    this.code = code
    this.headers = headers
  }

  get status(): number {
    return statuses[this.code]
  }
}
