import { StepCommand } from './step-command.ts'

export default class EntitlementSuspend extends StepCommand {
  static override summary = 'Suspend an entitlement until it is resumed.'
  static override description =
    'Its devices are refused from their next call on, and keep their seats. Needs the scope admin.entitlements:update.'
  static override examples = ['<%= config.bin %> entitlement suspend 01a1fe79-f7b7-75dc-87da-62de5eb021bd']
  override readonly step = 'suspend'
}
