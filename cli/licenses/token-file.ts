import { string as text } from '@oclif/core/args'

/** The FILE of commands that call with a license token: where it is, since the token itself never goes on a command line. */
export const tokenFile = text({
  required: true,
  description: 'The file with the license token, or - for stdin.',
})
