import { boolean, string } from '@oclif/core/flags'

/** `--yes` and `--confirm NAME`, for every command that changes an environment. */
export const confirmFlags = {
  yes: boolean({ char: 'y', summary: 'Do it without asking.' }),
  confirm: string({ summary: 'Do it without asking in a protected environment, by its name.', helpValue: 'NAME' }),
}
