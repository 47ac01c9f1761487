import type { SearchResults } from '@vidimus/contract'
import { translateTemplate } from '../texts/built-in-templates.ts'
import { useTemplateName } from '../templates/template-name.tsx'
import { useFormats, useLanguage, useTexts } from '../texts/texts-context.ts'
import type { Formats } from '../texts/formats.ts'
import type { Language, Texts } from '../texts/languages.ts'
import type { FoundGroup, FoundItem } from './result-list.tsx'

/** A result with the page that shows it. */
export type DashboardItem = FoundItem & {
  target: { to: string; params?: Record<string, string>; search?: Record<string, string> }
}

type ResultTexts = { texts: Texts; formats: Formats; language: Language; nameOf: (key: string) => string }

export function useResultTexts(): ResultTexts {
  const [language] = useLanguage()
  return { texts: useTexts(), formats: useFormats(), language, nameOf: useTemplateName() }
}

/** The results as a list shows them. Groups without results are left out. */
export function groupResults(
  found: SearchResults,
  { texts, formats, language, nameOf }: ResultTexts,
): FoundGroup<DashboardItem>[] {
  const { search: text } = texts
  const time = (at: string) => formats.exact(new Date(at))
  const items: Record<keyof typeof text.groups, DashboardItem[]> = {
    verifications: found.verifications.map(({ id, template, metadata, status, created_at }) => ({
      key: id,
      label: id,
      detail: [
        texts.verifications.statuses[status],
        template === undefined ? undefined : nameOf(template),
        metadata && `${metadata.name}: ${metadata.value}`,
        time(created_at),
      ]
        .filter((part) => part !== undefined)
        .join(' · '),
      target: { to: '/$environment/verifications/$id', params: { id } },
    })),
    requests: found.requests.map(({ id, request_id, method, route, status, at }) => ({
      key: `request-${id}`,
      label: `${method} ${route}`,
      detail: `${status} · ${request_id} · ${time(at)}`,
      target: { to: '/$environment/requests', search: { request_id } },
    })),
    keys: found.keys.map(({ id, name, prefix, revoked }) => ({
      key: id,
      label: name === '' ? prefix : name,
      detail: [`${prefix}…`, revoked ? text.revoked : undefined]
        .filter((part) => part !== undefined)
        .join(' · '),
      target: { to: '/$environment/keys' },
    })),
    devices: found.devices.map(({ id, name, status }) => ({
      key: id,
      label: name,
      detail: text.device_statuses[status],
      target: { to: '/$environment/devices' },
    })),
    templates: found.templates.map((template) => {
      const { key, built_in } = template
      const { name } = translateTemplate({ description: '', ...template }, language)
      return {
        key: `template-${key}`,
        label: name,
        detail: [key, built_in ? text.built_in : undefined].filter((part) => part !== undefined).join(' · '),
        target: { to: '/$environment/templates/$key', params: { key } },
      }
    }),
    openid_clients: found.openid_clients.map(({ id, name }) => ({
      key: id,
      label: name,
      detail: id,
      target: { to: '/$environment/openid-clients', search: { client: id } },
    })),
  }
  return Object.entries(items)
    .map(([name, of]) => ({ name, title: text.groups[name as keyof typeof items], items: of }))
    .filter((group) => group.items.length > 0)
}
