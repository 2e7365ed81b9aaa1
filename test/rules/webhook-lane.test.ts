import { expect, test } from 'vitest'
import { Lane } from '../../server/webhooks/dispatch/lane.ts'

const learned = (outcomes: readonly boolean[]) => {
  const lane = new Lane<string, number>('https://hooks.example')
  for (const isDelivered of outcomes) lane.learn(isDelivered)
  return lane
}
const repeated = (times: number, isDelivered: boolean) => Array<boolean>(times).fill(isDelivered)

/** How many may be under way at once. */
function windowOf(lane: Lane<string, number>): number {
  lane.waiting = [...Array(100).keys()]
  while (lane.next() !== undefined) lane.underWay++
  return lane.underWay
}

test.each([
  ['begins with one', [], 1],
  ['widens by one with each success', repeated(3, true), 4],
  ['is 32 at its widest', repeated(100, true), 32],
  ['is halved by a failure', [...repeated(100, true), false], 16],
  ['is never less than one', [true, ...repeated(5, false)], 1],
  ['widens again after failures', [...repeated(9, false), true, true], 3],
])('a window %s', (_, outcomes, window) => {
  expect(windowOf(learned(outcomes))).toBe(window)
})

test('what waits is started in its order, one at a time where the window is one', () => {
  const lane = new Lane<string, number>('https://hooks.example')
  lane.waiting = [1, 2]
  expect(lane.next()).toBe(1)
  lane.underWay = 1
  expect(lane.next()).toBeUndefined()
  lane.underWay = 0
  expect([lane.next(), lane.next()]).toEqual([2, undefined])
})

test.each([
  ['sixteen for each that may be under way', 0, 0, [], 16],
  ['less by what is in hand', 9, 1, [], 6],
  ['never less than none', 20, 1, [], 0],
  ['more with a wider window', 0, 0, repeated(4, true), 80],
])('room is %s', (_, waiting, underWay, outcomes, room) => {
  const lane = learned(outcomes)
  Object.assign(lane, { waiting: Array(waiting).fill(0), underWay })
  expect(lane.roomFor(waiting + underWay)).toBe(room)
})

test.each([
  ['when half of what is taken ahead is gone', 7, 0, true],
  ['not before', 7, 1, false],
])('a lane asks for more %s', (_, waiting, underWay, isHungry) => {
  const lane = new Lane<string, number>('https://hooks.example')
  Object.assign(lane, { waiting: Array(waiting).fill(0), underWay })
  expect(lane.isHungry).toBe(isHungry)
  lane.isHot = false
  expect(lane.isHungry).toBe(false)
})

test('while too much is in hand of others, a lane has room for one', () => {
  const lane = learned(repeated(9, true))
  expect(lane.roomFor(8192)).toBe(1)
  lane.underWay = 1
  expect(lane.roomFor(8193)).toBe(0)
})
