/** A time in the form of a `datetime-local` input, which has no time zone: the browser's. */
export function toLocalInput(time: Date): string {
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** The time that a `datetime-local` or date input has, in UTC, or undefined while it is empty or incomplete. */
export function fromLocalInput(value: string): string | undefined {
  const time = new Date(value)
  return value === '' || Number.isNaN(time.getTime()) ? undefined : time.toISOString()
}
