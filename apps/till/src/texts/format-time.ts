/** A time of day in the language of the texts, and if the browser prefers a region of it, as is usual there. */
export function formatTime(at: number): string {
  const { lang } = document.documentElement
  const locale = navigator.languages.find((tag) => tag.startsWith(lang)) ?? lang
  return new Date(at).toLocaleTimeString(locale, { hour: '2-digit', minute: '2-digit' })
}

/** What is left of a time: `1:05`. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
