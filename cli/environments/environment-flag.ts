import { string } from '@oclif/core/flags'

/** `--env E`, for every command that works with a server. */
export const environmentFlag = string({
  char: 'e',
  summary: 'The environment to work with.',
  description:
    'Without it: LICET_URL with its credentials, else the one that licet.yaml names, else the one in use (licet env use).',
  helpValue: 'NAME',
})
