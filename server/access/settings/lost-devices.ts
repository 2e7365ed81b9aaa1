import type { Tx } from '../../database/database.ts'
import type { Stamp } from '../../kit/records/stamp.ts'
import type { LostDevices } from './contract.ts'
import { lockSettings } from './store.ts'

/**
 * How often an end user may free a lost device. The tenant's settings are held until the transaction ends, so that devices
 * that are freed at once are counted one after the other.
 */
export const lockLostDeviceLimit = async (tx: Tx, stamp: Stamp): Promise<LostDevices> =>
  (await lockSettings(tx, stamp)).settings.lostDevices
