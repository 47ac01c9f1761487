import { ChoiceGroup, TextField, ChoiceField } from '../ui/field.tsx'
import { Card } from '../ui/page.tsx'
import { formatLabels } from '../verifications/labels.ts'
import { documents, sources, claimTitle, vocabulary, type DocumentName } from './catalogue.ts'
import type { Draft } from './compose.ts'

type DraftFormProps = { draft: Draft; onChange: (draft: Draft) => void; nameError: string | undefined }

export function DraftForm({ draft, onChange, nameError }: DraftFormProps) {
  const set = (change: Partial<Draft>) => onChange({ ...draft, ...change })
  return (
    <>
      <Card title="Name and description">
        <div className="grid gap-4">
          <TextField
            label="Name"
            maxLength={64}
            value={draft.name}
            onChange={({ target }) => set({ name: target.value })}
            error={nameError}
          />
          <TextField
            label="Description"
            maxLength={300}
            value={draft.description}
            onChange={({ target }) => set({ description: target.value })}
          />
        </div>
      </Card>
      <Card title="Claims" description="Ask only for what you need.">
        <ClaimChoices draft={draft} set={set} />
      </Card>
      <Card title="Documents" description="The holder presents any one of them.">
        <DocumentChoices draft={draft} set={set} />
      </Card>
      <Card
        title="Conditions"
        description="If one is not met, the verification fails with requirement_not_met."
      >
        <ConditionChoices draft={draft} set={set} />
      </Card>
    </>
  )
}

type PartProps = { draft: Draft; set: (change: Partial<Draft>) => void }

function withToggled<Item>(items: readonly Item[], item: Item): Item[] {
  return items.includes(item) ? items.filter((each) => each !== item) : [...items, item]
}

function ClaimChoices({ draft, set }: PartProps) {
  const toggle = (name: string) => {
    const claims = withToggled(draft.claims, name)
    const addsAge = claims.includes(name) && name.startsWith('age_over_')
    set({
      claims,
      must: addsAge ? [...draft.must, name] : draft.must.filter((each) => claims.includes(each)),
    })
  }
  return (
    <ChoiceGroup legend="Requested claims">
      <div className="grid gap-x-8 sm:grid-cols-2">
        {vocabulary.map(({ name, title }) => (
          <ChoiceField
            key={name}
            label={title}
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
  return (
    <div className="grid gap-5">
      <ChoiceGroup legend="Accepted documents">
        {(Object.keys(documents) as DocumentName[]).map((name) => (
          <ChoiceField
            key={name}
            label={documents[name].title}
            hint={explainMissingClaims(name, draft.claims) ?? documents[name].description}
            checked={draft.documents.includes(name)}
            onChange={() => set({ documents: withToggled(draft.documents, name) })}
          />
        ))}
      </ChoiceGroup>
      <ChoiceGroup legend="Accepted formats" hint="Wallets store a PID in either format, so accept both.">
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
function explainMissingClaims(name: DocumentName, claims: readonly string[]): string | undefined {
  const own = sources.filter(({ document }) => document === name)
  const missing = claims.filter((claim) => own.every(({ paths }) => paths[claim] === undefined))
  return missing.length === 0
    ? undefined
    : `Not used: it does not contain ${missing.map((claim) => claimTitle(claim).toLowerCase()).join(', ')}.`
}

function ConditionChoices({ draft, set }: PartProps) {
  const selectableClaims = vocabulary.filter(({ name }) => draft.claims.includes(name))
  const ages = draft.claims.some((claim) => claim.startsWith('age_over_'))
  return (
    <ChoiceGroup legend="Required values">
      {selectableClaims.length === 0 && <p className="text-sm text-soft">Select a claim first.</p>}
      {selectableClaims.map(({ name, title }) => (
        <ChoiceField
          key={name}
          label={name.startsWith('age_over_') ? `Must be ${title}` : `${title} must not be empty`}
          checked={draft.must.includes(name)}
          onChange={() => set({ must: withToggled(draft.must, name) })}
        />
      ))}
      {ages && (
        <ChoiceField
          label="If a document has no age attribute, derive it from the date of birth"
          hint="A basic PID has none. The date itself is neither stored nor shown."
          checked={draft.derive}
          onChange={() => set({ derive: !draft.derive })}
        />
      )}
    </ChoiceGroup>
  )
}
