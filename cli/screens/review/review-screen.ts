import { setTimeout as wait } from 'node:timers/promises'
import { Box, render, Text, useInput, useWindowSize } from 'ink'
import { createElement, useEffect, useMemo, useReducer } from 'react'
import { type Paint, paint } from '../../colour.ts'
import { type ReviewHeading, reviewFrame, roomOf } from './review-frame.ts'
import type { ReviewItem } from './review-items.ts'
import { type ReviewKey, reviewKey } from './review-keys.ts'
import { afterKey, firstState, type ReviewState, type ReviewView, settled } from './review-state.ts'

/** What a person is asked to approve, item by item if they like. */
export interface Review {
  heading: ReviewHeading
  items: readonly ReviewItem[]
  /** The name that approves in a protected environment; null where a key does. */
  nameToType: string | null
  /** The flags without which it cannot be approved. */
  missing: readonly string[]
}

/** How long what was typed before there was anything to see is thrown away. */
const typedAheadMs = 50

/**
 * Shows a review on the terminal of stdin and stderr, on a screen of its own that is gone afterwards, until it is
 * approved or left; a terminal that goes away leaves it.
 */
export async function showReview(review: Review): Promise<'approved' | 'left'> {
  const { stdin, stderr } = process
  const forget = () => void stdin.read()
  stdin.setRawMode(true)
  stdin.on('readable', forget)
  await wait(typedAheadMs)
  stdin.off('readable', forget)
  let ending: ReviewState['ending'] = null
  const screen = render(
    createElement(ReviewScreen, {
      review,
      colours: paint(stderr),
      onEnd: (reached) => {
        ending = reached
        screen.unmount()
      },
    }),
    {
      stdout: stderr,
      stderr,
      stdin,
      alternateScreen: true,
      interactive: true,
      exitOnCtrlC: false,
      patchConsole: false,
    },
  )
  const leave = () => screen.unmount()
  stdin.once('end', leave).once('close', leave)
  try {
    await screen.waitUntilExit()
  } finally {
    stdin.off('end', leave).off('close', leave)
    stdin.setRawMode(false)
  }
  return ending ?? 'left'
}

type Happened = { key: ReviewKey; view: ReviewView } | { resized: ReviewView }

const reduce = (state: ReviewState, happened: Happened) =>
  'key' in happened ? afterKey(state, happened.key, happened.view) : settled(state, happened.resized)

interface ScreenProps {
  review: Review
  colours: Paint
  onEnd: (ending: 'approved' | 'left') => void
}

function ReviewScreen({ review, colours, onEnd }: ScreenProps) {
  const size = useWindowSize()
  const { items, nameToType, missing, heading } = review
  const view: ReviewView = useMemo(
    () => ({ items, nameToType, missing, ...roomOf(heading, size) }),
    [items, nameToType, missing, heading, size],
  )
  const [state, happen] = useReducer(reduce, firstState)
  useEffect(() => happen({ resized: view }), [view])
  useEffect(() => {
    if (state.ending !== null) onEnd(state.ending)
  }, [state.ending, onEnd])
  useInput((input, pressed) => {
    const key = reviewKey(input, pressed)
    if (key) happen({ key, view })
  })
  const text = reviewFrame(state, view, heading, size, colours).join('\n')
  return createElement(Box, { width: size.columns }, createElement(Text, { wrap: 'truncate-end' }, text))
}
