import { useState } from 'react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { minSearch_characters, Palette } from '../../search/palette.tsx'
import type { FoundGroup, FoundItem } from '../../search/result-list.tsx'
import type { Formats } from '../../texts/formats.ts'
import { useFormats } from '../../texts/texts-context.ts'
import { operationQuery, type OperationOutput } from '../api.ts'
import { usePermission } from '../shell/console-context.ts'
import { useReadablePages } from '../shell/console-navigation.tsx'
import { useConsoleTexts, type ConsoleTexts } from '../texts/console-texts.ts'

type ConsoleItem = FoundItem & { to: string }

const maxTenants = 8

/** Tenants by name or id, a verification by its id, and pages. Never a claim. */
export function ConsoleSearchDialog({ onClose }: { onClose: () => void }) {
  const texts = useConsoleTexts()
  const formats = useFormats()
  const navigate = useNavigate()
  const pages = useReadablePages()
  const [searched, setSearched] = useState('')
  const enabled = searched.length >= minSearch_characters
  const canSearch = usePermission('search')
  const canReadTenants = usePermission('read_tenants')
  const byId = useQuery({
    ...operationQuery('search', { query: { id: searched } }),
    enabled: enabled && canSearch,
    placeholderData: keepPreviousData,
  })
  const byName = useQuery({
    ...operationQuery('listTenants', { query: { q: searched, limit: String(maxTenants) } }),
    enabled: enabled && canReadTenants,
    placeholderData: keepPreviousData,
  })
  const found = enabled
    ? [
        ...findPages(searched, pages, texts),
        ...groupTenants(byName.data, texts),
        // That of the text before it would lead to the wrong page.
        ...groupVerification(byId.isPlaceholderData ? undefined : byId.data, { searched, texts, formats }),
      ]
    : []
  return (
    <Palette
      text={texts.search}
      searched={searched}
      onSearch={setSearched}
      results={{ error: byId.error ?? byName.error, isFetching: byId.isFetching || byName.isFetching }}
      found={found}
      onOpen={({ to }) => void navigate({ to } as never)}
      onClose={onClose}
    />
  )
}

function findPages(
  searched: string,
  pages: ReturnType<typeof useReadablePages>,
  { shell, palette }: ConsoleTexts,
): FoundGroup<ConsoleItem>[] {
  const items = pages
    .filter((page) => shell.pages[page].toLowerCase().includes(searched.toLowerCase()))
    .map((page) => ({ key: `page-${page}`, label: shell.pages[page], detail: palette.page, to: `/${page}` }))
  return items.length === 0 ? [] : [{ name: 'pages', title: palette.pages, items }]
}

function groupTenants(
  found: OperationOutput<'listTenants'> | undefined,
  { tenants, shell }: ConsoleTexts,
): FoundGroup<ConsoleItem>[] {
  const items = (found?.data ?? []).map(({ id, name, state, external_id }) => ({
    key: id,
    label: name,
    detail: [tenants.states[state], external_id, id].filter((part) => part !== undefined).join(' · '),
    to: `/tenants/${id}`,
  }))
  return items.length === 0 ? [] : [{ name: 'tenants', title: shell.pages.tenants, items }]
}

type VerificationOptions = { searched: string; texts: ConsoleTexts; formats: Formats }

function groupVerification(
  found: OperationOutput<'search'> | undefined,
  { searched, texts: { search: text, common }, formats }: VerificationOptions,
): FoundGroup<ConsoleItem>[] {
  if (found?.verification === undefined) return []
  const { hash, tenant, environment, status, created_at } = found.verification
  const item = {
    key: hash,
    label: tenant.name,
    detail: [common.environments[environment], status, formats.exact(new Date(created_at))].join(' · '),
    to: `/verifications/${encodeURIComponent(searched)}`,
  }
  return [{ name: 'verification', title: text.verification, items: [item] }]
}
