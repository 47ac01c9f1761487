import { routes } from '@vidimus/contract'
import type { Page } from './read-pages.ts'

type PageGroup = { title: string; paths: readonly string[] }

/** In the order in which a newcomer should read them. */
const groups: readonly PageGroup[] = [
  { title: 'Start here', paths: ['guides/quickstart', 'guides/concepts'] },
  {
    title: 'Guides',
    paths: [
      'guides/dashboard',
      'guides/templates',
      'guides/webhooks',
      'guides/hosted-page',
      'guides/links',
      'guides/wordpress',
      'guides/openid-connect',
      'guides/openid-auth0',
      'guides/openid-keycloak',
      'guides/devices-and-pages',
      'guides/devices',
      'guides/till',
      'guides/erasure',
      'guides/sealed-results',
      'guides/receipts',
      'guides/testing',
      'guides/languages',
      'guides/automate',
      'guides/going-live',
    ],
  },
  {
    title: 'Reference',
    paths: [
      'reference/errors',
      'reference/limits',
      'reference/faults',
      'reference/openid4vp',
      'reference/wallets',
      'reference/audit',
    ],
  },
  {
    title: 'Operate',
    paths: [
      'operate/README',
      'operate/local',
      'operate/install',
      'operate/go-live',
      'operate/trust',
      'operate/tenants',
      'operate/configuration',
      'operate/metrics',
      'operate/containers',
      'operate/systemd',
      'operate/kubernetes',
      'operate/reverse-proxies',
      'operate/managed-services',
      'operate/staging',
      'operate/upgrade',
      'operate/back-up',
      'operate/audit',
      'operate/high-availability',
      'operate/reliability',
      'operate/scale',
      'operate/traces',
      'operate/cells',
      'operate/rotate',
      'operate/threat-model',
    ],
  },
  {
    title: 'Incidents',
    paths: [
      'operate/incidents/README',
      'operate/incidents/database-down',
      'operate/incidents/redis-down',
      'operate/incidents/backlog',
      'operate/incidents/stale-list',
      'operate/incidents/certificate-near-end',
      'operate/incidents/quota-dispute',
      'operate/incidents/key-leaked',
      'operate/incidents/verifications-failing',
      'operate/incidents/overload',
      'operate/incidents/abusive-tenant',
      'operate/incidents/disk-full',
      'operate/incidents/ledger-unwritable',
      'operate/incidents/audit-broken',
    ],
  },
]

/** Pages by group. A page without a group comes last, so that none is missing. */
export function groupPages(pages: readonly Page[]): { title: string; pages: Page[] }[] {
  const grouped = groups.map(({ title, paths }) => ({
    title,
    pages: paths.flatMap((path) => pages.find((page) => page.path === path) ?? []),
  }))
  const others = pages.filter(({ path }) => !groups.some(({ paths }) => paths.includes(path)))
  return others.length === 0 ? grouped : [...grouped, { title: 'More', pages: others }]
}

/** The page that lists all others, and the operations of the API, so that the search finds those too. */
export function contentsMarkdown(pages: readonly Page[]): string {
  const operations = Object.values(routes)
    .filter(({ path }) => path.startsWith('/v1/'))
    .map(({ method, path, summary }) => `### ${method} ${path}\n\n${summary}`)
  return `---
outline: 2
---
# Guides

Request verified claims from digital identity wallets. Start with the [quick start](/docs/guides/quickstart); the [API reference](/docs) lists every route.

${listPages(pages, '')}

## API reference

The operations of the API. The [API reference](/docs) describes each, with its input, its output and code to copy.

${operations.join('\n\n')}
`
}

/** The same for language models: https://llmstxt.org. */
export function llmsText(pages: readonly Page[]): string {
  return `# Vidimus

> Verified claims from digital identity wallets: one API call creates a verification, a QR code opens it in the wallet, and the service verifies the response and reports the result.

The API is described in [OpenAPI 3.1](/openapi.json).

${listPages(pages, '.md')}
`
}

function listPages(pages: readonly Page[], suffix: string): string {
  return groupPages(pages)
    .map(({ title, pages: members }) => {
      const items = members.map(
        (page) => `- [${page.title}](/docs/${page.path}${suffix}): ${stripMarkdown(page.summary)}`,
      )
      return `## ${title}\n\n${items.join('\n')}`
    })
    .join('\n\n')
}

function stripMarkdown(markdown: string): string {
  return markdown.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1').replaceAll(/[`*]/g, '')
}
