import { html } from './dom.ts'

/** `key` names a control across renderings, so that the focus stays on it. */
type Control = {
  key: string
  text: string
  primary?: boolean
  /** Before it can be used. */
  disabled?: boolean
  /** While it is being used: it keeps the focus. */
  busy?: boolean
}

export function button(
  { key, text, primary = false, disabled, busy }: Control,
  onClick: () => void,
): HTMLElement {
  const made = html(
    'button',
    {
      type: 'button',
      part: 'button',
      class: primary ? 'button primary' : 'button',
      'data-key': key,
      disabled,
      'aria-disabled': busy === true && 'true',
    },
    text,
  )
  made.addEventListener('click', () => {
    if (busy !== true) onClick()
  })
  return made
}

/** A link that looks like a button. It stays a link, because the browser, not the page, opens its address. */
export function linkButton(
  { key, text, primary = false }: Control,
  href: string,
  onClick?: (href: string) => void,
): HTMLElement {
  const made = html(
    'a',
    { href: safeHref(href), part: 'button', class: primary ? 'button primary' : 'button', 'data-key': key },
    text,
  )
  if (onClick !== undefined) made.addEventListener('click', () => onClick(href))
  return made
}

export function textButton(key: string, text: string, onClick: () => void, expanded?: boolean): HTMLElement {
  const made = html(
    'button',
    {
      type: 'button',
      class: 'text',
      'data-key': key,
      'aria-expanded': expanded === undefined ? undefined : String(expanded),
    },
    text,
  )
  made.addEventListener('click', onClick)
  return made
}

/** Without `onClick`, it opens another window, so that this page stays. */
export function textLink(
  key: string,
  text: string,
  href: string,
  onClick?: (href: string) => void,
): HTMLElement {
  const target = onClick === undefined && '_blank'
  const made = html('a', { href: safeHref(href), class: 'text', 'data-key': key, target }, text)
  if (onClick !== undefined) made.addEventListener('click', () => onClick(href))
  return made
}

/** Addresses come from the service, and may have a scheme of an app. None may be a script. */
export function safeHref(href: string): string | undefined {
  return URL.canParse(href) && !/^(?:javascript|data|vbscript|blob):/.test(new URL(href).protocol)
    ? href
    : undefined
}
