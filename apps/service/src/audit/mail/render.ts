/** The content of a mail, in plain text that is not trusted to be HTML. */
export type MailContent = {
  language: 'en' | 'de'
  subject: string
  paragraphs: readonly string[]
  /** A list after the paragraphs. */
  items?: readonly string[]
  link: { label: string; url: string }
  /** Why the recipient gets this mail, and how to stop it. */
  footer: string
}

export type RenderedMail = { subject: string; text: string; html: string }

/** Renders a mail as plain text and as simple HTML with the same words. */
export function renderMail(content: MailContent): RenderedMail {
  const { language, subject, link, footer } = content
  const paragraphs = content.paragraphs.map(cleanText)
  const items = (content.items ?? []).map(cleanText)
  const text = [
    ...paragraphs,
    ...(items.length > 0 ? [items.map((item) => `- ${item}`).join('\n')] : []),
    `${link.label}:\n${link.url}`,
    `-- \n${cleanText(footer)}`,
  ].join('\n\n')
  const list = items.map((item) => `<li>${escapeHtml(item)}</li>`).join('')
  const html = `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><title>${escapeHtml(cleanText(subject))}</title></head>
<body style="font-family:system-ui,sans-serif;line-height:1.5;max-width:36rem;margin:1.5rem">
${paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`).join('\n')}
${list === '' ? '' : `<ul>${list}</ul>`}
<p><a href="${escapeHtml(link.url)}">${escapeHtml(link.label)}</a></p>
<p style="color:#5c6470;font-size:.875rem">${escapeHtml(cleanText(footer))}</p>
</body></html>
`
  return { subject: cleanText(subject), text: `${text}\n`, html }
}

/** Names come from members, merchants and certificates: one line, without characters that change how the rest is read. */
function cleanText(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replaceAll(/[\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim()
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
