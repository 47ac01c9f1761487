import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { ErrorMessage } from './error-message.tsx'
import { Card } from './page.tsx'

type SettingsFormProps = {
  text: { title: string; description: string; save: string }
  /** Without it the fields are shown but cannot be changed. */
  canManage: boolean
  save: { error: Error | null; isPending: boolean }
  onSave: () => void
  children: ReactNode
}

/** A card with fields and one button that saves them all. */
export function SettingsForm({ text, canManage, save, onSave, children }: SettingsFormProps) {
  return (
    <Card title={text.title} description={text.description}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          onSave()
        }}
      >
        <fieldset disabled={!canManage} className="grid gap-5">
          <legend className="sr-only">{text.title}</legend>
          {children}
          {save.error !== null && <ErrorMessage error={save.error} inline />}
          {canManage && (
            <div>
              <Button type="submit" variant="primary" busy={save.isPending}>
                {text.save}
              </Button>
            </div>
          )}
        </fieldset>
      </form>
    </Card>
  )
}
