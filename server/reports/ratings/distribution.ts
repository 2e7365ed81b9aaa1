/** How many gave one rating (null: none, a remark alone), and how many of them left a remark. */
export interface RatingCount {
  rating: number | null
  count: number
  comments: number
}

/** How ratings are spread, and their average. */
export function distributionOf(counts: readonly RatingCount[]) {
  const [rated1, rated2, rated3, rated4, rated5] = [1, 2, 3, 4, 5].map((rating) =>
    sumOf(counts.filter((one) => one.rating === rating).map(({ count }) => count)),
  ) as [number, number, number, number, number]
  const ratings = rated1 + rated2 + rated3 + rated4 + rated5
  const points = rated1 + 2 * rated2 + 3 * rated3 + 4 * rated4 + 5 * rated5
  return {
    ratings,
    average: ratings === 0 ? null : points / ratings,
    ...{ rated1, rated2, rated3, rated4, rated5 },
    comments: sumOf(counts.map(({ comments }) => comments)),
  }
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0)
