import { useEffect, useState } from 'react'
import { Check, Copy } from 'lucide-react'
import { useSharedTexts } from '../texts/texts-context.ts'
import { Button, IconButton } from './button.tsx'

/** Copies a text and confirms it without moving the layout. `wide` shows the label beside the icon. */
export function CopyButton({ text, label, wide = false }: { text: string; label?: string; wide?: boolean }) {
  const { copied: copiedText, copy: defaultLabel } = useSharedTexts().ui
  const shownLabel = label ?? defaultLabel
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return undefined
    const timer = setTimeout(() => setCopied(false), 2000)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = () => {
    void navigator.clipboard.writeText(text).then(() => setCopied(true))
  }
  const icon = copied ? (
    <Check className="size-4 text-good" aria-hidden />
  ) : (
    <Copy className="size-4" aria-hidden />
  )
  return (
    <>
      {wide ? (
        <Button onClick={copy} icon={icon}>
          {shownLabel}
        </Button>
      ) : (
        <IconButton label={shownLabel} onClick={copy}>
          {icon}
        </IconButton>
      )}
      <span role="status" className="sr-only">
        {copied ? copiedText : ''}
      </span>
    </>
  )
}
