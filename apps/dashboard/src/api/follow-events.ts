import { useEffect } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import type { ChangeEvent, Environment } from '@vidimus/contract'
import { addressOf } from './call.ts'
import { answersAbout } from './queries.ts'

const pause_ms = 3000

/**
 * Listens while the page is open. The browser connects again by itself when a connection breaks, but not when it was refused,
 * as by a process that was too busy: then it is asked again here. What was missed meanwhile is read anew.
 */
export function useEvents(environment: Environment): void {
  const client = useQueryClient()
  useEffect(() => {
    let source: EventSource | undefined
    let retry: ReturnType<typeof setTimeout> | undefined
    let missed = false

    const listen = () => {
      source = new EventSource(addressOf('getEvents', { params: { environment } }))
      source.addEventListener('open', () => {
        if (missed) void client.invalidateQueries()
        missed = false
      })
      source.addEventListener('error', () => {
        missed = true
        if (source?.readyState === EventSource.CLOSED) retry = setTimeout(listen, pause_ms)
      })
      source.addEventListener('change', (event: MessageEvent<string>) => {
        const { topics } = JSON.parse(event.data) as ChangeEvent
        // Whatever changed is in the audit log too.
        for (const op of new Set(['listAudit', ...topics.flatMap((topic) => answersAbout[topic])])) {
          void client.invalidateQueries({ queryKey: [op] })
        }
      })
    }
    listen()
    return () => {
      clearTimeout(retry)
      source?.close()
    }
  }, [client, environment])
}
