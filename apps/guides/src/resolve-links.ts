import type { Page } from './read-pages.ts'

/** A page with the addresses at which the service has what it links to. Links to what is not served become plain text, and comments are for readers of the repository. */
export function resolveLinks(
  { path, markdown }: Pick<Page, 'path' | 'markdown'>,
  served: ReadonlySet<string>,
): string {
  return markdown
    .replaceAll(/^<!-- .* -->\n/gm, '')
    .replaceAll(
      /(!?)\[([^\]]*)\]\((?!https?:|#|\/)([^)]+)\)/g,
      (_link, image: string, text: string, href: string) => {
        const { pathname, hash } = new URL(href, `http://docs/${path}`)
        const target = decodeURI(pathname.slice(1)).replace(/\.md$/, '')
        return served.has(target) ? `${image}[${text}](/docs/${target}${hash})` : text
      },
    )
}
