import { hash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitepress'
import { codeTheme, stylesToClasses } from '../src/code-theme.ts'
import { groupPages } from '../src/contents.ts'
import { readPages } from '../src/read-pages.ts'
import { toSlug } from '../src/to-slug.ts'

const sidebar = groupPages(readPages()).map(({ title, pages }) => ({
  text: title,
  items: pages.map((page) => ({ text: page.title, link: `/docs/${page.path}` })),
}))
const isForOperators = ({ items }: (typeof sidebar)[number]) =>
  items.every(({ link }) => link.startsWith('/docs/operate/'))

export default defineConfig({
  title: 'Vidimus',
  titleTemplate: ':title · Vidimus',
  description: 'Verified claims from digital identity wallets',
  lang: 'en',
  srcDir: '.pages',
  srcExclude: ['public/**'],
  outDir: 'dist',
  assetsDir: 'docs/assets',
  cleanUrls: true,
  // A file instead of a script in every page.
  metaChunk: true,
  // With transitions, a change of the theme would add an inline style.
  appearance: { disableTransition: false },
  // The service limits requests by address: a page is loaded when it is opened.
  router: { prefetchLinks: false },
  // The API reference is a page of the service.
  ignoreDeadLinks: ['/docs'],
  head: [['link', { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' }]],
  markdown: {
    html: false,
    attrs: { disable: true },
    anchor: { slugify: toSlug },
    theme: codeTheme,
    codeTransformers: [stylesToClasses],
    // A block `sh terminal=receiver` is captioned with its terminal.
    config(md) {
      const { fence } = md.renderer.rules
      md.renderer.rules.fence = (tokens, index, ...others) => {
        const terminal = /terminal=(\w+)/.exec(tokens[index]?.info ?? '')?.[1]
        const caption =
          terminal === undefined ? '' : `<p class="terminal">in a separate terminal: ${terminal}</p>`
        return `${caption}${fence?.(tokens, index, ...others)}`
      }
    },
  },
  themeConfig: {
    logoLink: '/docs/guides',
    nav: [
      { text: 'Guides', link: '/docs/guides', activeMatch: '^/docs/(guides|reference)' },
      { text: 'Operate', link: '/docs/operate/README', activeMatch: '^/docs/operate/' },
      { text: 'API reference', link: '/docs', target: '_self' },
    ],
    sidebar: {
      '/docs/operate/': sidebar.filter(isForOperators),
      '/docs/': sidebar.filter((group) => !isForOperators(group)),
    },
    outline: [2, 3],
    search: {
      provider: 'local',
      options: {
        // Every word must occur. Whole words count far more than the start of one, or one that is spelled differently.
        miniSearch: { searchOptions: { combineWith: 'AND', weights: { prefix: 0.1, fuzzy: 0.05 } } },
      },
    },
  },
  vite: { build: { target: 'es2022', assetsInlineLimit: 0 } },
  transformHead: ({ page }) => [['link', { rel: 'alternate', type: 'text/markdown', href: `/${page}` }]],
  // The content security policy allows nothing inline: scripts become files, and style.css has what the styles say.
  transformHtml: (html, _file, { siteConfig }) =>
    html
      .replace(/<link [^>]*vp-icons\.css[^>]*>/, '')
      .replaceAll(/(<[a-z][^<>]*) style="[^"]*"/g, '$1')
      .replaceAll(/<script(?: id="[\w-]+")?>([^]+?)<\/script>/g, (_script, code: string) => {
        const path = `docs/assets/inline.${hash('sha256', code).slice(0, 8)}.js`
        writeFileSync(join(siteConfig.outDir, path), code)
        return `<script src="/${path}"></script>`
      }),
})
