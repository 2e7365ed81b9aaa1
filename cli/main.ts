import { isGlobalSwitch, isOn } from './global-switches.ts'
import { version } from './version.ts'

const words = process.argv.slice(2)
const [first, ...others] = words

if (['--version', '-v'].includes(words.find((word) => !isGlobalSwitch(word)) ?? '')) {
  const json = words.includes('--json') || isOn(process.env.LICET_JSON)
  const platform = `${process.platform}-${process.arch}`
  const node = process.versions.node
  process.stdout.write(
    json ? `${JSON.stringify({ version, platform, node })}\n` : `licet/${version} ${platform} node-v${node}\n`,
  )
} else if (first === 'completion' && others[0] === '--words') {
  // Asked by a shell while somebody waits at Tab: no command is parsed, and nothing else of licet is loaded.
  const { answerCompletion } = await import('./completion/answering.ts')
  process.stdout.write(await answerCompletion(others.slice(1)))
} else {
  if (process.env.LICET_DEBUG) process.setSourceMapsEnabled(true)
  const { start } = await import('./start.ts')
  await start(process.argv.slice(2))
}
