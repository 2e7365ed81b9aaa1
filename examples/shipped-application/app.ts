import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { isOutage, Licence, Refused } from './licence.ts'

/**
 * A stand-in for your application: it activates once, then works for as long as its licence lets it, printing what it may.
 * BASE_URL, KEYS (a file: the vendor's JWKS), FINGERPRINT and LICENCE (a file) say the rest; the code is asked for on stdin.
 * Exits with 2 when it may not, and 3 when nobody answers.
 */
const {
  BASE_URL = '',
  KEYS = '',
  FINGERPRINT = '',
  LICENCE = 'licence.jwt',
  ROUNDS = '1',
  PAUSE_MS = '1000',
} = process.env
const licence = new Licence({
  baseUrl: BASE_URL,
  keys: JSON.parse(readFileSync(KEYS, 'utf8')).keys,
  fingerprint: FINGERPRINT,
  file: LICENCE,
})

try {
  if ((await licence.keepUp()) === 'stopped') await licence.activate(readFileSync(0, 'utf8').trim())
  for (let round = 0; round < Number(ROUNDS); round++) {
    if (round > 0) await sleep(Number(PAUSE_MS))
    const state = await licence.keepUp()
    console.log(`${state}: EXPORT ${licence.feature('EXPORT') === undefined ? 'no' : 'yes'}`)
    if (state === 'stopped') break
    await licence.checkIn()
  }
  if (process.argv.includes('--release')) {
    await licence.release()
    console.log('released')
  }
} catch (error) {
  if (isOutage(error)) {
    console.log('nobody answers: try again later')
    process.exitCode = 3
  } else if (error instanceof Refused) {
    console.log(`refused: ${error.codeName}`)
    process.exitCode = 2
  } else throw error
}
