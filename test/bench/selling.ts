import { provision } from '../../server/kit/contract.ts'
import type { Served } from './served.ts'
import { askOnce } from './turning.ts'

const admin = `${provision}/admin`

/** An entitlement with a code that anybody may activate, any number of times. */
export interface Sold {
  entitlementId: string
  codeId: string
  code: string
}

/** Makes a product and answers its id. */
export async function makeProduct({ ask }: Served): Promise<string> {
  const features = [{ featureCode: 'SEATS', value: '5' }]
  const product = JSON.stringify({ name: 'Bench', productCode: 'BENCH', features })
  return JSON.parse(await ask('POST', `${admin}/products`, product)).id
}

/** Sells an entitlement of a product without a limit of seats. */
export async function sell({ ask }: Served, productId: string): Promise<Sold> {
  const wanted = JSON.stringify({ name: 'Bench', status: 'Active', products: [{ productId }] })
  const entitlement = JSON.parse(await ask('POST', `${admin}/entitlements`, wanted))
  const code = JSON.parse(await ask('POST', `${admin}/entitlements/${entitlement.id}/activation-codes`, '{}'))
  return { entitlementId: entitlement.id, codeId: code.id, code: code.activationCode }
}

/** Where devices activate. */
export const activationsAt = (base: string) => `${base}${provision}/activations`

let devices = 0

/** The fingerprint of a device that nobody has seen. */
export const newDevice = () => `device-${devices++}-${process.pid}`

/** A device that was activated. */
export interface Device {
  /** Its session. */
  id: string
  token: string
  fingerprint: string
}

/** Activates so many new devices with a code. */
export const activateDevices = (origin: string, base: string, { code }: Sold, count: number): Promise<Device[]> =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const fingerprint = newDevice()
      const body = { activationCode: code, fingerprint }
      const { token, session } = await askOnce(origin, { path: `${activationsAt(base)}/license`, body })
      return { id: session.id, token, fingerprint }
    }),
  )
