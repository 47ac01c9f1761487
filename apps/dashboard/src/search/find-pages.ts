import type { Texts } from '../texts/languages.ts'
import type { DashboardItem } from './group-results.ts'
import type { FoundGroup } from './result-list.tsx'

const maxFound = 6

/** The pages and actions whose name or page contains the text. An action leads to the page that has its button. */
export function findPages(
  searched: string,
  texts: Texts,
  { canReadAudit }: { canReadAudit: boolean },
): FoundGroup<DashboardItem>[] {
  const { shell, frame, palette, settings, webhooks, webhook_endpoints, search } = texts
  const page = (to: string, label: string, parent?: string, tab?: string): DashboardItem => ({
    key: `page-${to}-${tab ?? ''}-${label}`,
    label,
    detail: parent ?? palette.page,
    target: { to, ...(tab !== undefined && { search: { tab } }) },
  })
  const at = (name: string) => `/$environment/${name}`
  const pages = [
    page('/$environment', shell.pages.overview),
    page(at('verifications'), shell.pages.verifications),
    page(at('links'), shell.pages.links),
    page(at('erasure-requests'), shell.pages.erasures),
    page(at('templates'), shell.pages.templates),
    page(at('registrations'), shell.pages.registrations),
    page(at('devices'), shell.pages.devices),
    page(at('keys'), shell.pages.keys),
    page(at('openid-clients'), shell.pages.openid_clients),
    page(at('webhooks'), webhooks.tabs.deliveries, shell.pages.webhooks),
    page(at('webhooks'), webhook_endpoints.tab, shell.pages.webhooks, 'endpoints'),
    page(at('webhooks'), webhooks.tabs.secret, shell.pages.webhooks, 'secret'),
    page(at('webhooks'), webhooks.tabs.debugger, shell.pages.webhooks, 'debugger'),
    page(at('requests'), shell.pages.requests),
    page(at('usage'), shell.pages.usage),
    page(at('alerts'), shell.pages.alerts),
    ...(canReadAudit ? [page(at('audit'), shell.pages.audit)] : []),
    page(at('team'), shell.pages.team),
    page(at('settings/brand'), settings.sections.brand, shell.pages.settings),
    page(at('settings/policies'), settings.sections.policies, shell.pages.settings),
    page(at('settings/holder-page'), settings.sections.holder_page, shell.pages.settings),
    page(at('settings/identity'), settings.sections.identity, shell.pages.settings),
    page(at('settings/trust'), settings.sections.trust, shell.pages.settings),
    page(at('settings/sealing'), settings.sections.sealing, shell.pages.settings),
    page(at('settings/request-log'), settings.sections.request_log, shell.pages.settings),
    page(at('settings/alerts'), texts.alerts.webhook.title, shell.pages.settings),
    page(at('settings/support'), texts.settings.support.title, shell.pages.settings),
    page(at('account'), frame.account),
  ]
  const actions = [
    page(at('verifications'), texts.verifications.create.title, shell.pages.verifications),
    page(at('links'), texts.links.create, shell.pages.links),
    page(at('templates/new'), texts.templates.new, shell.pages.templates),
    page(at('registrations'), texts.registrations.add, shell.pages.registrations),
    page(at('devices'), texts.devices.register, shell.pages.devices),
    page(at('keys'), texts.keys.create, shell.pages.keys),
    page(at('openid-clients'), texts.openid_clients.create, shell.pages.openid_clients),
    page(at('webhooks'), webhook_endpoints.create, shell.pages.webhooks, 'endpoints'),
    page(at('webhooks'), webhooks.test_event.title, shell.pages.webhooks),
    page(at('webhooks'), webhook_endpoints.resend.button, shell.pages.webhooks),
    page(at('team'), texts.team.invite.title, shell.pages.team),
  ]
  const wanted = searched.toLowerCase()
  const matching = (items: DashboardItem[]) =>
    items
      .filter(({ label, detail }) => `${label} ${detail}`.toLowerCase().includes(wanted))
      .slice(0, maxFound)
  return [
    { name: 'pages', title: palette.pages, items: matching(pages) },
    { name: 'actions', title: search.actions, items: matching(actions) },
  ].filter(({ items }) => items.length > 0)
}
