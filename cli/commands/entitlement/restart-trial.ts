import { StepCommand } from './step-command.ts'

export default class EntitlementRestartTrial extends StepCommand {
  static override summary = 'Give a trial its whole time again, from now.'
  static override description = 'A trial that was over is Active again. Needs the scope admin.entitlements:update.'
  static override examples = ['<%= config.bin %> entitlement restart-trial 01a1fe79-f7b7-75dc-87da-62de5eb021bd']
  override readonly step = 'restartTrial'
}
