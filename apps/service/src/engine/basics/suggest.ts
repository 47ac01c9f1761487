/** Longer names are cut before they are compared, so that a comparison costs a bounded amount of work. */
const maxName_characters = 64

/**
 * The candidate that was probably meant: the same letters in another spelling (`webhookUrl` for `webhook_url`), or one or two typing
 * mistakes away. Undefined if none is close enough.
 */
export function suggest(given: string, candidates: Iterable<string>): string | undefined {
  const name = normalize(given)
  const maxMistakes = name.length < 5 ? 1 : 2
  let best: { candidate: string; mistakes: number } | undefined
  for (const candidate of candidates) {
    const mistakes = countMistakes(name, normalize(candidate), maxMistakes)
    if (mistakes <= maxMistakes && (best === undefined || mistakes < best.mistakes))
      best = { candidate, mistakes }
  }
  return best?.candidate
}

function normalize(name: string): string {
  return name
    .slice(0, maxName_characters)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
}

/** The last three rows of the table of distances, reused for every comparison. */
const rows = Array.from({ length: 3 }, () => new Uint8Array(maxName_characters + 1))

/**
 * The optimal string alignment distance: insertions, deletions, replacements, and exchanges of two neighbours. It stops counting
 * above `max`, and then returns more than `max`.
 */
function countMistakes(a: string, b: string, max: number): number {
  const tooMany = max + 1
  if (a === '' || b === '' || Math.abs(a.length - b.length) > max) return tooMany
  let [twoBack, previous, current] = rows as [Uint8Array, Uint8Array, Uint8Array] // three were created
  for (let column = 0; column <= b.length; column += 1) previous[column] = column
  for (let row = 1; row <= a.length; row += 1) {
    current.fill(tooMany)
    current[0] = Math.min(row, tooMany)
    let least = current[0]
    // Outside this band the distance is larger than `max` anyway.
    for (let column = Math.max(1, row - max); column <= Math.min(b.length, row + max); column += 1) {
      const isSame = a[row - 1] === b[column - 1]
      const isExchange = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      const mistakes = Math.min(
        (previous[column] ?? tooMany) + 1,
        (current[column - 1] ?? tooMany) + 1,
        (previous[column - 1] ?? tooMany) + (isSame ? 0 : 1),
        isExchange ? (twoBack[column - 2] ?? tooMany) + 1 : tooMany,
      )
      current[column] = mistakes
      least = Math.min(least, mistakes)
    }
    if (least > max) return tooMany
    ;[twoBack, previous, current] = [previous, current, twoBack]
  }
  return previous[b.length] ?? tooMany
}
