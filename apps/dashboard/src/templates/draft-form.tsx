import { fillIn } from '@vidimus/holder-texts/fill-in'
import type { Texts } from '../texts/languages.ts'
import type { Formats } from '../texts/formats.ts'
import { useFormats, useTexts } from '../texts/texts-context.ts'
import { ChoiceGroup, TextField, ChoiceField } from '../ui/field.tsx'
import { Card } from '../ui/page.tsx'
import { formatLabels } from '../verifications/labels.ts'
import { documents, sources, claimTitle, vocabulary, type DocumentName } from './catalogue.ts'
import type { Draft } from './compose.ts'
import { ConditionChoices, type PartProps } from './condition-choices.tsx'
import { isCompared, newConditions } from './conditions.ts'
import { PurposeFields } from './purpose-fields.tsx'

type DraftFormProps = { draft: Draft; onChange: (draft: Draft) => void }

export function NameCard({ draft, onChange, nameError }: DraftFormProps & { nameError: string | undefined }) {
  const { templates, common } = useTexts()
  const text = templates.form
  const set = (change: Partial<Draft>) => onChange({ ...draft, ...change })
  return (
    <Card title={text.name_and_description}>
      <div className="grid gap-4">
        <TextField
          label={common.name}
          maxLength={64}
          value={draft.name}
          onChange={({ target }) => set({ name: target.value })}
          error={nameError}
        />
        <TextField
          label={text.description}
          maxLength={300}
          value={draft.description}
          onChange={({ target }) => set({ description: target.value })}
        />
      </div>
    </Card>
  )
}

export function DraftForm({ draft, onChange }: DraftFormProps) {
  const { templates, editing } = useTexts()
  const text = templates.form
  const set = (change: Partial<Draft>) => onChange({ ...draft, ...change })
  return (
    <>
      <Card title={text.claims} description={editing.template.advice}>
        {draft.claims.includes('birth_date') && !isCompared(draft.must['birth_date']) && (
          <p role="status" className="mb-4 rounded-md bg-wait-tint px-4 py-3 text-sm text-wait">
            {editing.template.advice_birth_date}
          </p>
        )}
        <ClaimChoices draft={draft} set={set} />
      </Card>
      <Card title={text.documents} description={text.documents_description}>
        <DocumentChoices draft={draft} set={set} />
      </Card>
      <Card title={text.conditions} description={text.conditions_description}>
        <ConditionChoices draft={draft} set={set} />
      </Card>
      <Card title={text.purpose} description={text.purpose_description}>
        <PurposeFields purpose={draft.purpose} onChange={(purpose) => set({ purpose })} />
      </Card>
    </>
  )
}

function withToggled<Item>(items: readonly Item[], item: Item): Item[] {
  return items.includes(item) ? items.filter((each) => each !== item) : [...items, item]
}

function ClaimChoices({ draft, set }: PartProps) {
  const text = useTexts().templates
  const toggle = (name: string) => {
    const claims = withToggled(draft.claims, name)
    const addsAge = claims.includes(name) && name.startsWith('age_over_')
    set({
      claims,
      must: {
        ...Object.fromEntries(Object.entries(draft.must).filter(([each]) => claims.includes(each))),
        ...(addsAge && { [name]: newConditions.equals }),
      },
    })
  }
  return (
    <ChoiceGroup legend={text.form.requested_claims}>
      <div className="grid gap-x-8 sm:grid-cols-2">
        {vocabulary.map(({ name }) => (
          <ChoiceField
            key={name}
            label={text.claims[name]}
            hint={<code>{name}</code>}
            checked={draft.claims.includes(name)}
            onChange={() => toggle(name)}
          />
        ))}
      </div>
    </ChoiceGroup>
  )
}

function DocumentChoices({ draft, set }: PartProps) {
  const text = useTexts().templates
  const formats = useFormats()
  return (
    <div className="grid gap-5">
      <ChoiceGroup legend={text.form.accepted_documents}>
        {documents.map((name) => (
          <ChoiceField
            key={name}
            label={text.documents[name].title}
            hint={
              explainMissingClaims(name, draft.claims, { text, formats }) ?? text.documents[name].description
            }
            checked={draft.documents.includes(name)}
            onChange={() => set({ documents: withToggled(draft.documents, name) })}
          />
        ))}
      </ChoiceGroup>
      <ChoiceGroup legend={text.form.accepted_formats} hint={text.form.accepted_formats_hint}>
        <ChoiceField
          label={formatLabels['dc+sd-jwt']}
          checked={draft.formats.includes('dc+sd-jwt')}
          onChange={() => set({ formats: withToggled(draft.formats, 'dc+sd-jwt') })}
        />
        <ChoiceField
          label={formatLabels.mso_mdoc}
          checked={draft.formats.includes('mso_mdoc')}
          onChange={() => set({ formats: withToggled(draft.formats, 'mso_mdoc') })}
        />
      </ChoiceGroup>
    </div>
  )
}

/** Why a document cannot be used, if it lacks a claim. */
function explainMissingClaims(
  name: DocumentName,
  claims: readonly string[],
  { text, formats }: { text: Texts['templates']; formats: Formats },
): string | undefined {
  const own = sources.filter(({ document }) => document === name)
  const missing = claims.filter((claim) => own.every(({ paths }) => paths[claim] === undefined))
  return missing.length === 0
    ? undefined
    : fillIn(text.form.missing_claims, {
        claims: formats.and(missing.map((claim) => claimTitle(claim, text.claims))),
      })
}
