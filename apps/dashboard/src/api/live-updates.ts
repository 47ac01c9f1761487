import { useEffect } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import type { ChangeEvent, Environment } from '@vidimus/contract'
import { operationUrl } from './call.ts'
import { operationsByTopic } from './queries.ts'

const reconnectDelay_ms = 3000

/**
 * Invalidates queries as the service reports changes, while the page is open. The browser reconnects by itself after a lost
 * connection, but not after an HTTP error, such as a busy process returns; that is done here. After a gap every query is
 * invalidated.
 */
export function useLiveUpdates(environment: Environment): void {
  const client = useQueryClient()
  useEffect(() => {
    let source: EventSource | undefined
    let retry: ReturnType<typeof setTimeout> | undefined
    let mayHaveMissedEvents = false

    const connect = () => {
      source = new EventSource(operationUrl('getEvents', { params: { environment } }))
      source.addEventListener('open', () => {
        if (mayHaveMissedEvents) void client.invalidateQueries()
        mayHaveMissedEvents = false
      })
      source.addEventListener('error', () => {
        mayHaveMissedEvents = true
        if (source?.readyState === EventSource.CLOSED) retry = setTimeout(connect, reconnectDelay_ms)
      })
      source.addEventListener('change', (event: MessageEvent<string>) => {
        const { topics } = JSON.parse(event.data) as ChangeEvent
        // Every change also adds an audit entry.
        for (const op of new Set(['listAudit', ...topics.flatMap((topic) => operationsByTopic[topic])])) {
          void client.invalidateQueries({ queryKey: [op] })
        }
      })
    }
    connect()
    return () => {
      clearTimeout(retry)
      source?.close()
    }
  }, [client, environment])
}
