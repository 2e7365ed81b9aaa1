export interface SigningKeyTables {
  signing_keys: {
    /** The key id (`kid`). */
    id: string
    tenant_id: string
    purpose: 'token' | 'offline'
    algorithm: 'ES256' | 'RS256'
    /** The public key as a JWK (JSON). */
    public_jwk: string
    /** The private key as PKCS#8 PEM, sealed. */
    sealed_private_key: string
    created_at: number
    retired_at: number | null
    /** Until when a retired key still verifies; null for one in use, and for offline keys, which verify for ever. */
    verifies_until: number | null
    /** Until when a token that it signed is good, the short-lived ones aside; null of a key that an earlier version retired, or of an offline one. */
    signed_until: number | null
  }
}
