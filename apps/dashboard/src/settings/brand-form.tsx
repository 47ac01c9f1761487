import { useState, type ChangeEvent } from 'react'
import type { Brand } from '@vidimus/contract'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { useOperationMutation } from '../api/queries.ts'
import { useTexts } from '../texts/texts-context.ts'
import { Button } from '../ui/button.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { TextField } from '../ui/field.tsx'
import { Card } from '../ui/page.tsx'
import { useToast } from '../ui/toast.tsx'

const maxLogo_kB = 48
const maxKept_days = 36_500

/** How the merchant appears to holders, with a preview. */
export function BrandForm({ brand, canManage }: { brand: Brand; canManage: boolean }) {
  const text = useTexts().settings.brand
  const { kept_days, ...texts } = brand
  const [draft, setDraft] = useState<BrandTexts>(texts)
  const [days, setDays] = useState(kept_days?.toString() ?? '')
  const [logoError, setLogoError] = useState<string>()
  const save = useOperationMutation('changeBrand', ['getSettings'])
  const showToast = useToast()
  const daysAreValid = days === '' || (/^\d{1,5}$/.test(days) && Number(days) <= maxKept_days)
  const set = (change: BrandTexts) => setDraft((before) => ({ ...before, ...change }))
  const readLogo = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0]
    if (file === undefined) return
    if (file.size > maxLogo_kB * 1024) {
      setLogoError(fillIn(text.logo_too_large, { size: Math.ceil(file.size / 1024), max: maxLogo_kB }))
      return
    }
    setLogoError(undefined)
    void readAsDataUrl(file).then((logo) => set({ logo }))
  }
  return (
    <Card title={text.title} description={text.description}>
      <form
        noValidate
        className="grid gap-8 lg:grid-cols-[1fr_17rem]"
        onSubmit={(event) => {
          event.preventDefault()
          if (!daysAreValid) return
          const json = { ...withoutEmptyFields(draft), ...(days !== '' && { kept_days: Number(days) }) }
          save.mutate({ json }, { onSuccess: () => showToast(text.saved) })
        }}
      >
        <fieldset disabled={!canManage} className="grid gap-4">
          <legend className="sr-only">{text.title}</legend>
          <TextField
            label={text.display_name}
            maxLength={64}
            value={draft.display_name ?? ''}
            onChange={({ target }) => set({ display_name: target.value })}
          />
          <TextField
            label={text.privacy_policy}
            type="url"
            placeholder="https://shop.example/privacy"
            value={draft.privacy_url ?? ''}
            onChange={({ target }) => set({ privacy_url: target.value })}
          />
          <TextField
            label={text.kept_days}
            hint={text.kept_days_hint}
            inputMode="numeric"
            className="max-w-52"
            value={days}
            onChange={({ target }) => setDays(target.value.trim())}
            error={daysAreValid ? undefined : fillIn(text.kept_days_invalid, { max: maxKept_days })}
          />
          <TextField
            label={text.alternative}
            hint={text.alternative_hint}
            type="url"
            placeholder="https://shop.example/verify-otherwise"
            value={draft.alternative_url ?? ''}
            onChange={({ target }) => set({ alternative_url: target.value })}
          />
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField
              label={text.colour}
              type="color"
              className="h-10 p-1"
              value={draft.colour ?? '#2f4a8f'}
              onChange={({ target }) => set({ colour: target.value })}
            />
            <TextField
              label={text.logo}
              type="file"
              accept="image/png,image/webp,image/svg+xml"
              hint={fillIn(text.logo_hint, { max: maxLogo_kB })}
              error={logoError}
              onChange={readLogo}
            />
          </div>
          {save.error !== null && <ErrorMessage error={save.error} inline />}
          {canManage && (
            <div className="flex gap-2">
              <Button type="submit" variant="primary" busy={save.isPending}>
                {text.save}
              </Button>
              {draft.logo !== undefined && (
                <Button onClick={() => setDraft(({ logo: _, ...rest }) => rest)}>{text.remove_logo}</Button>
              )}
            </div>
          )}
        </fieldset>
        <BrandPreview brand={draft} />
      </form>
    </Card>
  )
}

type BrandTexts = Omit<Brand, 'kept_days'>

function BrandPreview({ brand }: { brand: BrandTexts }) {
  const text = useTexts().settings.brand
  return (
    <figure className="grid content-start gap-2">
      <div className="grid gap-3 rounded-lg border border-line bg-canvas p-5">
        <svg aria-hidden className="h-1 w-full rounded-full">
          <rect width="100%" height="100%" fill={brand.colour ?? '#2f4a8f'} />
        </svg>
        {brand.logo !== undefined && <img src={brand.logo} alt="" className="max-h-10 justify-self-start" />}
        <p className="font-serif text-lg font-medium">
          {fillIn(text.preview_request, { name: brand.display_name || text.preview_name })}
        </p>
        <p className="text-sm text-soft">{text.preview_claim}</p>
      </div>
      <figcaption className="text-xs text-soft">{text.preview}</figcaption>
    </figure>
  )
}

/** A field left empty is removed. */
function withoutEmptyFields(brand: BrandTexts): BrandTexts {
  return Object.fromEntries(
    Object.entries(brand).filter(([, value]) => value !== undefined && value.trim() !== ''),
  )
}

function readAsDataUrl(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(reader.result as string)) // a data URL is text
    reader.addEventListener('error', () => reject(reader.error ?? new Error('unreadable')))
    reader.readAsDataURL(file)
  })
}
