import type { Readable } from '../../database/database.ts'
import { findClient } from './store.ts'

/** The scopes that a client is registered for, whatever its token asked for; none when there is no such client. */
export const registeredScopesOf = async (
  read: Readable,
  tenantId: string,
  clientId: string,
): Promise<readonly string[]> => (await findClient(read, tenantId, clientId))?.scopes ?? []
