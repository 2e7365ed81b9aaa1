/** How many of a thing, in words: `1 item`, `2 items`. */
export const counted = (count: number, word: string, plural = `${word}s`) => `${count} ${count === 1 ? word : plural}`
