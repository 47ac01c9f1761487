import { useEffect } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import type { ChangeEvent, Environment } from '@vidimus/contract'
import { operationUrl } from './call.ts'
import { operationsByTopic } from './queries.ts'

const reconnectDelay_ms = 3000

/**
 * Listens while the page is open. The browser connects again by itself when a connection breaks, but not when it was refused,
 * as by a process that was too busy: then it is asked again here. What was missed meanwhile is read anew.
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
        // Whatever changed is in the audit log too.
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
