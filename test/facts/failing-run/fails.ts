import { expect, test } from 'vitest'
import { forEachStore } from '../../support/stores.ts'

forEachStore((store) => {
  test('this fails, to show that a failure is told', async () => {
    await store.createDatabase()
    expect('one').toBe('another')
  })
})
