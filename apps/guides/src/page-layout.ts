import { escapeHtml } from './escape-html.ts'
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
      'guides/openid-connect',
      'guides/openid-auth0',
      'guides/openid-keycloak',
      'guides/openid-wordpress',
      'guides/devices-and-pages',
      'guides/devices',
      'guides/till',
      'guides/erasure',
      'guides/testing',
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
    ],
  },
]

/** Shown by the script, which makes it work. */
const searchForm = `<form role="search" hidden>
<input type="search" role="combobox" aria-label="Search the guides and the reference" aria-expanded="false" aria-controls="found" aria-autocomplete="list" autocomplete="off" placeholder="Search (press /)">
<ul id="found" role="listbox" aria-label="Results" hidden></ul>
<span role="status" class="unseen"></span>
</form>`

/** A complete page. It works without its script, and loads nothing from other origins. */
export function renderPage(page: Pick<Page, 'path' | 'title'>, body: string, pages: readonly Page[]): string {
  const markdown = `<link rel="alternate" type="text/markdown" href="/docs/${page.path}.md">`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(page.title)} · Vidimus</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="/docs/style.css">
${page.path === '' ? '' : markdown}
</head>
<body>
<a class="skip" href="#text">Skip to content</a>
<header><a class="brand" href="/docs/guides">Vidimus</a> <a href="/docs">API reference</a> <a class="narrow" href="#pages">All pages</a>${searchForm}</header>
<div class="columns">
<nav id="pages" aria-label="Pages">${renderNavigation(page.path, pages)}</nav>
<main id="text">
${body}
${page.path === '' ? '' : `<p class="twin"><a href="/docs/${page.path}.md">This page as Markdown</a></p>`}
</main>
</div>
<script src="/docs/guides.js"></script>
</body>
</html>
`
}

/** The table of contents: each page with its first sentence. */
export function renderContents(pages: readonly Page[]): string {
  const sections = groupPages(pages).map(
    ({ title, pages: members }) =>
      `<h2>${title}</h2>\n<ul class="contents">${members.map((page) => `<li><a href="/docs/${page.path}">${escapeHtml(page.title)}</a> <span>${escapeHtml(stripMarkdown(page.summary))}</span></li>`).join('\n')}</ul>`,
  )
  return `<h1>Guides</h1>\n<p>Request verified claims from digital identity wallets. Start with the <a href="/docs/guides/quickstart">quick start</a>; the <a href="/docs">API reference</a> lists every route.</p>\n${sections.join('\n')}`
}

/** The same for language models: https://llmstxt.org. */
export function llmsText(pages: readonly Page[]): string {
  const sections = groupPages(pages).map(
    ({ title, pages: members }) =>
      `## ${title}\n\n${members.map((page) => `- [${page.title}](/docs/${page.path}.md): ${stripMarkdown(page.summary)}`).join('\n')}`,
  )
  return `# Vidimus\n\n> Verified claims from digital identity wallets: one API call creates a verification, a QR code opens it in the wallet, and the service verifies the response and reports the result.\n\nThe API is described in [OpenAPI 3.1](/openapi.json).\n\n${sections.join('\n\n')}\n`
}

function renderNavigation(current: string, pages: readonly Page[]): string {
  return groupPages(pages)
    .map(
      ({ title, pages: members }) =>
        `<h2>${title}</h2><ul>${members.map((page) => `<li><a href="/docs/${page.path}"${page.path === current ? ' aria-current="page"' : ''}>${escapeHtml(page.title)}</a></li>`).join('')}</ul>`,
    )
    .join('')
}

/** Pages by group. A page without a group comes last, so that none is missing. */
function groupPages(pages: readonly Page[]): { title: string; pages: Page[] }[] {
  const grouped = groups.map(({ title, paths }) => ({
    title,
    pages: paths.flatMap((path) => pages.find((page) => page.path === path) ?? []),
  }))
  const others = pages.filter(({ path }) => !groups.some(({ paths }) => paths.includes(path)))
  return others.length === 0 ? grouped : [...grouped, { title: 'More', pages: others }]
}

function stripMarkdown(markdown: string): string {
  return markdown.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1').replaceAll(/[`*]/g, '')
}
