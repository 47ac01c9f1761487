import { useEffect, useState } from 'react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { operationQuery } from '../api/queries.ts'
import type { Template } from './compose.ts'

const debounce_ms = 300

/** The service's findings on a template under a registration (null: the default), shortly after the last edit. */
export function useLints(template: Template, registration_id: string | null) {
  const json = JSON.stringify(template)
  const [debounced, setDebounced] = useState(json)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(json), debounce_ms)
    return () => clearTimeout(timer)
  }, [json])
  return useQuery({
    ...operationQuery('lintTemplate', {
      json: { template: JSON.parse(debounced) as Template, registration_id },
    }),
    placeholderData: keepPreviousData,
  })
}
