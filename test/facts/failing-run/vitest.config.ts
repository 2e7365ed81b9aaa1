import { mergeConfig } from 'vitest/config'
import whole from '../../../vitest.config.ts'

/** The whole configuration, on the one file that fails. */
const config = mergeConfig(whole, {})
config.test = { ...config.test, include: ['test/facts/failing-run/fails.ts'], root: '.' }
export default config
