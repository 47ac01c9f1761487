import { Fragment, type ReactNode } from 'react'

/** A text whose `{name}` placeholders are elements, such as a link or a time. */
export function Sentence({ text, values }: { text: string; values: Readonly<Record<string, ReactNode>> }) {
  // With a group in the pattern, every second part is the name of a placeholder.
  return text
    .split(/\{([a-z_]+)\}/)
    .map((part, index) => (
      <Fragment key={index}>{index % 2 === 0 ? part : (values[part] ?? `{${part}}`)}</Fragment>
    ))
}
