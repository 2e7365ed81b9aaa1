/** A key, or keys typed or pasted at once, as the review understands them. */
export type ReviewKey =
  | { name: 'up' | 'down' | 'left' | 'right' | 'pageUp' | 'pageDown' | 'home' | 'end' }
  | { name: 'enter' | 'escape' | 'tab' | 'backTab' | 'backspace' | 'interrupt' }
  | { name: 'text'; text: string }

/** What a terminal library says of a key. */
export interface PressedKey {
  upArrow: boolean
  downArrow: boolean
  leftArrow: boolean
  rightArrow: boolean
  pageUp: boolean
  pageDown: boolean
  home: boolean
  end: boolean
  return: boolean
  escape: boolean
  tab: boolean
  shift: boolean
  backspace: boolean
  delete: boolean
  ctrl: boolean
  meta: boolean
}

/** The key that was pressed; undefined for one that means nothing here. Ctrl-C and Ctrl-D interrupt, also in the middle of what came at once; Ctrl-F, -B, -N and -P move as in a pager. */
export function reviewKey(input: string, key: PressedKey): ReviewKey | undefined {
  if (key.ctrl) {
    const control = { c: 'interrupt', d: 'interrupt', n: 'down', p: 'up', f: 'pageDown', b: 'pageUp' } as const
    const name = control[input as keyof typeof control]
    return name && { name }
  }
  if (input.includes('\u0003') || input.includes('\u0004')) return { name: 'interrupt' }
  if (key.upArrow) return { name: 'up' }
  if (key.downArrow) return { name: 'down' }
  if (key.leftArrow) return { name: 'left' }
  if (key.rightArrow) return { name: 'right' }
  if (key.pageUp) return { name: 'pageUp' }
  if (key.pageDown) return { name: 'pageDown' }
  if (key.home) return { name: 'home' }
  if (key.end) return { name: 'end' }
  if (key.return) return { name: 'enter' }
  if (key.escape) return { name: 'escape' }
  if (key.tab) return { name: key.shift ? 'backTab' : 'tab' }
  if (key.backspace || key.delete) return { name: 'backspace' }
  return input === '' || key.meta ? undefined : { name: 'text', text: input }
}
