import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A span as OTLP writes it in JSON, with its attributes as an object. */
export type ReceivedSpan = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  attributes: Record<string, string | number | boolean>
  links: { traceId: string; spanId: string }[]
  status: { code?: number }
  resource: Record<string, string | number | boolean>
}

export type Collector = {
  url: string
  spans: ReceivedSpan[]
  /** Everything that was received, as it arrived. */
  bodies: string[]
  headers: IncomingMessage['headers'][]
  /** What happens to the next exports instead of being accepted. */
  respondWith(response: ((response: ServerResponse) => void) | undefined): void
} & AsyncDisposable

/** An OTLP collector on loopback: it accepts traces over HTTP, and can hang or fail. */
export async function startCollector(): Promise<Collector> {
  const spans: ReceivedSpan[] = []
  const bodies: string[] = []
  const headers: IncomingMessage['headers'][] = []
  let misbehave: ((response: ServerResponse) => void) | undefined
  const server = createServer((request, response) => {
    text(request)
      .then((body) => {
        if (request.method !== 'POST' || request.url !== '/v1/traces') return response.writeHead(404).end()
        bodies.push(body)
        headers.push(request.headers)
        if (misbehave !== undefined) return misbehave(response)
        spans.push(...readSpans(JSON.parse(body)))
        return response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
      })
      .catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on a port
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    bodies,
    headers,
    respondWith: (response) => void (misbehave = response),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

type Attribute = {
  key: string
  value: { stringValue?: string; intValue?: number; doubleValue?: number; boolValue?: boolean }
}
type ExportRequest = {
  resourceSpans: {
    resource: { attributes: Attribute[] }
    scopeSpans: {
      spans: (Omit<ReceivedSpan, 'attributes' | 'resource'> & { attributes: Attribute[] })[]
    }[]
  }[]
}

function readSpans({ resourceSpans }: ExportRequest): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans
      .flatMap((scope) => scope.spans)
      .map((span) => ({
        ...span,
        links: span.links ?? [],
        attributes: readAttributes(span.attributes),
        resource: readAttributes(resource.attributes),
      })),
  )
}

function readAttributes(attributes: Attribute[]): Record<string, string | number | boolean> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ?? value.intValue ?? value.doubleValue ?? value.boolValue ?? '',
    ]),
  )
}
