import { CopyButton } from './copy-button.tsx'

/** Something that is typed or pasted exactly, with a button to copy it. */
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
    <div className="relative min-w-0 rounded-md border border-line bg-sunken">
      <div className="absolute top-1.5 right-1.5 rounded-md bg-sunken">
        <CopyButton text={text} label={label} />
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard */}
      <pre tabIndex={0} className="max-h-96 overflow-auto py-3 pr-12 pl-3.5 text-sm leading-6 whitespace-pre">
        {text}
      </pre>
    </div>
  )
}
