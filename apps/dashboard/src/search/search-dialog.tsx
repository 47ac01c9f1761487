import { useState } from 'react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { operationQuery } from '../api/queries.ts'
import { useEnvironment, usePermission } from '../shell/shell-context.ts'
import { useTexts } from '../texts/texts-context.ts'
import { findPages } from './find-pages.ts'
import { groupResults, useResultTexts } from './group-results.ts'
import { minSearch_characters, Palette } from './palette.tsx'

/** One search over pages, actions, verifications, requests, keys, devices, templates and OpenID clients. */
export function SearchDialog({ onClose }: { onClose: () => void }) {
  const text = useTexts().search
  const environment = useEnvironment()
  const navigate = useNavigate()
  const [searched, setSearched] = useState('')
  const enabled = searched.length >= minSearch_characters
  const results = useQuery({
    ...operationQuery('search', { params: { environment }, query: { text: searched } }),
    enabled,
    placeholderData: keepPreviousData,
  })
  const resultTexts = useResultTexts()
  const canReadAudit = usePermission('read_audit')
  const found = [
    ...(enabled ? findPages(searched, resultTexts.texts, { canReadAudit }) : []),
    ...(enabled && results.data !== undefined ? groupResults(results.data, resultTexts) : []),
  ]
  return (
    <Palette
      text={text}
      searched={searched}
      onSearch={setSearched}
      results={results}
      found={found}
      onOpen={({ target }) =>
        void navigate({ ...target, params: { environment, ...target.params } } as never)
      }
      onClose={onClose}
    />
  )
}
