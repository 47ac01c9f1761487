import { fillIn } from '@vidimus/holder-texts/fill-in'
import { useFormats } from '../../texts/texts-context.ts'
import { ShareBar } from '../../ui/figure.tsx'
import { useConsoleTexts } from '../texts/console-texts.ts'

/** What a tenant used of today's quota: from 80 % it waits for attention, from 95 % it is nearly used up. */
export function quotaColour(share: number): string {
  if (share >= 0.95) return 'fill-bad'
  return share >= 0.8 ? 'fill-wait' : 'fill-accent'
}

export function QuotaMeter({ used, quota }: { used: number; quota: number }) {
  const text = useConsoleTexts().tenants
  const formats = useFormats()
  return (
    <span className="grid gap-1.5 sm:w-30 xl:w-40 max-sm:flex-1 max-sm:justify-items-end">
      <span className="flex w-full justify-between gap-2 text-xs text-soft tabular max-sm:justify-end">
        <strong className="font-semibold text-ink">{formats.integer(used)}</strong>
        <span>{fillIn(text.of_quota, { quota: formats.integer(quota) })}</span>
      </span>
      <ShareBar part={used} of={quota} label={text.quota_share} colour={quotaColour} />
    </span>
  )
}
