import { html } from './dom.ts'
import { icon, type IconName } from './icons.ts'

type Control = {
  /** Names the control across renderings, so that the focus stays on it. */
  key: string
  text: string
  /** How it looks. A row has an icon, and perhaps a hint. */
  kind?: keyof typeof classes
  icon?: IconName
  hint?: string | false | undefined
  /** What a link opens. Without it, the control is a button. */
  href?: string | undefined
  /** Opens another window, so that this page stays. */
  away?: boolean
  /** Before it can be used. */
  disabled?: boolean
  /** While it is being used, or of no use now: it keeps the focus. */
  busy?: boolean
  onClick?: () => void
}

const classes = { primary: 'button primary', plain: 'button', text: 'text', row: 'row' }

/** Something to press. What leads to an address is a link: the browser, not the page, opens it. */
export function control(given: Control): HTMLElement {
  const { key, text, kind = 'plain', hint = false, href, away = false, disabled, busy, onClick } = given
  const shared = {
    class: classes[kind],
    part: kind === 'primary' || kind === 'plain' ? 'button' : undefined,
    'data-key': key,
    'aria-disabled': busy === true && 'true',
  }
  const content =
    given.icon === undefined
      ? [text]
      : [
          icon(given.icon),
          html('span', {}, text, hint !== false && html('small', {}, hint)),
          icon(away ? 'leave' : 'next'),
        ]
  const made =
    href === undefined
      ? html('button', { ...shared, type: 'button', disabled }, ...content)
      : html(
          'a',
          { ...shared, href: safeHref(href), target: away && '_blank', rel: away && 'noopener' },
          ...content,
        )
  made.addEventListener('click', (event) => {
    if (busy === true) event.preventDefault()
    else onClick?.()
  })
  return made
}

/** Addresses come from the service, and may have a scheme of an app. None may be a script. */
export function safeHref(href: string): string | undefined {
  return URL.canParse(href) && !/^(?:javascript|data|vbscript|blob):/.test(new URL(href).protocol)
    ? href
    : undefined
}
