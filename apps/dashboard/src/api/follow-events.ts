import { useEffect } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import type { ChangeEvent, Environment } from '@vidimus/contract'
import { addressOf } from './call.ts'
import { answersAbout } from './queries.ts'

/** Listens while the page is open. The browser connects again by itself; what was missed meanwhile is read anew. */
export function useEvents(environment: Environment): void {
  const client = useQueryClient()
  useEffect(() => {
    const source = new EventSource(addressOf('getEvents', { params: { environment } }))
    let wasOpen = false
    source.addEventListener('open', () => {
      if (wasOpen) void client.invalidateQueries()
      wasOpen = true
    })
    source.addEventListener('change', (event: MessageEvent<string>) => {
      const { topics } = JSON.parse(event.data) as ChangeEvent
      for (const op of new Set(topics.flatMap((topic) => answersAbout[topic]))) {
        void client.invalidateQueries({ queryKey: [op] })
      }
    })
    return () => source.close()
  }, [client, environment])
}
