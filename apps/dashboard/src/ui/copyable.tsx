import { CopyButton } from './copy-button.tsx'

/** A text that must be copied exactly, with a copy button. */
export function Copyable({ text, label }: { text: string; label: string }) {
  return (
    <div className="flex items-center gap-2 rounded-md border border-line bg-sunken py-1.5 pr-1.5 pl-3.5">
      <code className="min-w-0 flex-1 text-sm break-all">{text}</code>
      <CopyButton text={text} label={label} />
    </div>
  )
}

export function CodeBlock({ text, label }: { text: string; label: string }) {
  return (
    <div className="flex min-w-0 items-start gap-1 rounded-md border border-line bg-sunken">
      <pre
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling area must be reachable by keyboard
        tabIndex={0}
        className="max-h-96 min-w-0 flex-1 overflow-auto py-3 pl-3.5 text-sm leading-6 whitespace-pre"
      >
        {text}
      </pre>
      <div className="p-1.5">
        <CopyButton text={text} label={label} />
      </div>
    </div>
  )
}
