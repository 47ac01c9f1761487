export type ServerEvent = { event: string; data: string }

const maxEventLength = 1_000_000

/** The events of a text/event-stream as they arrive, without the comments, which only keep the connection open. */
export async function* readServerSentEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > maxEventLength) throw new Error('an event exceeds the maximum length')
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const event = parse(text.slice(0, end))
      text = text.slice(end + 2)
      if (event !== undefined) yield event
    }
  }
}

function parse(block: string): ServerEvent | undefined {
  const fields = new Map<string, string>()
  for (const line of block.split('\n')) {
    const colon = line.indexOf(': ')
    if (colon > 0) fields.set(line.slice(0, colon), line.slice(colon + 2))
  }
  const event = fields.get('event')
  return event === undefined ? undefined : { event, data: fields.get('data') ?? '' }
}
