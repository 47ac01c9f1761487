/** The maximum length of a line. A proof that skips 100,000 entries has 7 MB. */
const maxLine_bytes = 16 * 2 ** 20

/** The lines of a file, without their line feeds. A line that is too long or not UTF-8 is returned as empty. */
export async function* readLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    let from = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      yield decode(Buffer.concat([rest, chunk.subarray(from, end)]))
      rest = Buffer.alloc(0)
      from = end + 1
    }
    rest = Buffer.concat([rest, chunk.subarray(from)]).subarray(0, maxLine_bytes + 1)
  }
  if (rest.length > 0) yield decode(rest)
}

function decode(bytes: Buffer): string {
  if (bytes.length > maxLine_bytes) return ''
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    // Not UTF-8.
    return ''
  }
}
