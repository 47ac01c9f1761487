import { readFileSync } from 'node:fs'

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '')
}

const icon = readFileSync(new URL('../http/static/favicon.svg', import.meta.url), 'utf8')

/** The icon within the page, for a page whose policy allows no images but those. */
export const inlineIcon = `<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(icon)}">`

export const guideStylePath = '/docs/style.css'

/** For pages in the style of the guides, from the address where their server has it. */
export function pageStyle(path: string): string {
  return `<meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="${path}">`
}

export const guideStyle = pageStyle(guideStylePath)

/** The start of every page, up to its body. `elements` is further HTML for the head. */
export function pageHead(title: string, ...elements: string[]): string {
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(title)}</title>`,
    '<link rel="icon" href="/favicon.svg" type="image/svg+xml">',
    ...elements,
    '</head>',
  ].join('\n')
}
