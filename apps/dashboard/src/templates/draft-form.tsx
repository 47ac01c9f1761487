import { ChoiceGroup, TextField, ChoiceField } from '../ui/field.tsx'
import { Card } from '../ui/page.tsx'
import { documents, sources, claimTitle, vocabulary, type DocumentName } from './catalogue.ts'
import type { Draft } from './compose.ts'

type DraftFormProps = { draft: Draft; onChange: (draft: Draft) => void; nameError: string | undefined }

export function DraftForm({ draft, onChange, nameError }: DraftFormProps) {
  const set = (change: Partial<Draft>) => onChange({ ...draft, ...change })
  return (
    <>
      <Card title="What it is">
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
      <Card title="What to ask for" description="As little as will do.">
        <ClaimChoices draft={draft} set={set} />
      </Card>
      <Card title="From which document" description="Any one of them is enough; the holder chooses.">
        <DocumentChoices draft={draft} set={set} />
      </Card>
      <Card
        title="What must hold"
        description="Otherwise the verification fails with requirement_not_met, and “completed” means yes."
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
    <ChoiceGroup legend="Claims">
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
      <ChoiceGroup legend="Documents">
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
      <ChoiceGroup legend="Formats" hint="Wallets hold a PID in one or the other, so ask for both.">
        <ChoiceField
          label="SD-JWT VC"
          checked={draft.formats.includes('dc+sd-jwt')}
          onChange={() => set({ formats: withToggled(draft.formats, 'dc+sd-jwt') })}
        />
        <ChoiceField
          label="ISO mdoc"
          checked={draft.formats.includes('mso_mdoc')}
          onChange={() => set({ formats: withToggled(draft.formats, 'mso_mdoc') })}
        />
      </ChoiceGroup>
    </div>
  )
}

/** Says why a document cannot answer, if it cannot. */
function explainMissingClaims(name: DocumentName, claims: readonly string[]): string | undefined {
  const own = sources.filter(({ document }) => document === name)
  const missing = claims.filter((claim) => own.every(({ paths }) => paths[claim] === undefined))
  return missing.length === 0
    ? undefined
    : `Left out: it has no ${missing.map((claim) => claimTitle(claim).toLowerCase()).join(', no ')}.`
}

function ConditionChoices({ draft, set }: PartProps) {
  const selectableClaims = vocabulary.filter(({ name }) => draft.claims.includes(name))
  const ages = draft.claims.some((claim) => claim.startsWith('age_over_'))
  return (
    <ChoiceGroup legend="Conditions">
      {selectableClaims.length === 0 && <p className="text-sm text-soft">Tick a claim first.</p>}
      {selectableClaims.map(({ name, title }) => (
        <ChoiceField
          key={name}
          label={name.startsWith('age_over_') ? `${title}: must be yes` : `${title}: must not be empty`}
          checked={draft.must.includes(name)}
          onChange={() => set({ must: withToggled(draft.must, name) })}
        />
      ))}
      {ages && (
        <ChoiceField
          label="Where a document has no age, work it out from the date of birth"
          hint="A base PID has none. The date is then neither stored nor shown."
          checked={draft.derive}
          onChange={() => set({ derive: !draft.derive })}
        />
      )}
    </ChoiceGroup>
  )
}
