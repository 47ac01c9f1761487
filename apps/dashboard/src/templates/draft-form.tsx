import { Choices, TextField, Tick } from '../ui/field.tsx'
import { Card } from '../ui/page.tsx'
import { documents, sources, titleOf, vocabulary, type DocumentName } from './catalogue.ts'
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
      <Card title="What to ask for" lead="As little as will do.">
        <Claims draft={draft} set={set} />
      </Card>
      <Card title="From which document" lead="Any one of them is enough; the holder chooses.">
        <Documents draft={draft} set={set} />
      </Card>
      <Card
        title="What must hold"
        lead="Otherwise the verification fails with requirement_not_met, and “completed” means yes."
      >
        <Musts draft={draft} set={set} />
      </Card>
    </>
  )
}

type PartProps = { draft: Draft; set: (change: Partial<Draft>) => void }

function toggled<Item>(items: readonly Item[], item: Item): Item[] {
  return items.includes(item) ? items.filter((each) => each !== item) : [...items, item]
}

function Claims({ draft, set }: PartProps) {
  const toggle = (name: string) => {
    const claims = toggled(draft.claims, name)
    const fresh = claims.includes(name) && name.startsWith('age_over_')
    set({ claims, must: fresh ? [...draft.must, name] : draft.must.filter((each) => claims.includes(each)) })
  }
  return (
    <Choices legend="Claims">
      <div className="grid gap-x-8 sm:grid-cols-2">
        {vocabulary.map(({ name, title }) => (
          <Tick
            key={name}
            label={title}
            hint={<code>{name}</code>}
            checked={draft.claims.includes(name)}
            onChange={() => toggle(name)}
          />
        ))}
      </div>
    </Choices>
  )
}

function Documents({ draft, set }: PartProps) {
  return (
    <div className="grid gap-5">
      <Choices legend="Documents">
        {(Object.keys(documents) as DocumentName[]).map((name) => (
          <Tick
            key={name}
            label={documents[name].title}
            hint={missingFrom(name, draft.claims) ?? documents[name].means}
            checked={draft.documents.includes(name)}
            onChange={() => set({ documents: toggled(draft.documents, name) })}
          />
        ))}
      </Choices>
      <Choices legend="Formats" hint="Wallets hold a PID in one or the other, so ask for both.">
        <Tick
          label="SD-JWT VC"
          checked={draft.formats.includes('dc+sd-jwt')}
          onChange={() => set({ formats: toggled(draft.formats, 'dc+sd-jwt') })}
        />
        <Tick
          label="ISO mdoc"
          checked={draft.formats.includes('mso_mdoc')}
          onChange={() => set({ formats: toggled(draft.formats, 'mso_mdoc') })}
        />
      </Choices>
    </div>
  )
}

/** Says why a document cannot answer, if it cannot. */
function missingFrom(name: DocumentName, claims: readonly string[]): string | undefined {
  const own = sources.filter(({ document }) => document === name)
  const missing = claims.filter((claim) => own.every(({ paths }) => paths[claim] === undefined))
  return missing.length === 0
    ? undefined
    : `Left out: it has no ${missing.map((claim) => titleOf(claim).toLowerCase()).join(', no ')}.`
}

function Musts({ draft, set }: PartProps) {
  const possible = vocabulary.filter(({ name }) => draft.claims.includes(name))
  const ages = draft.claims.some((claim) => claim.startsWith('age_over_'))
  return (
    <Choices legend="Conditions">
      {possible.length === 0 && <p className="text-sm text-soft">Tick a claim first.</p>}
      {possible.map(({ name, title }) => (
        <Tick
          key={name}
          label={name.startsWith('age_over_') ? `${title}: must be yes` : `${title}: must not be empty`}
          checked={draft.must.includes(name)}
          onChange={() => set({ must: toggled(draft.must, name) })}
        />
      ))}
      {ages && (
        <Tick
          label="Where a document has no age, work it out from the date of birth"
          hint="A base PID has none. The date is then neither stored nor shown."
          checked={draft.derive}
          onChange={() => set({ derive: !draft.derive })}
        />
      )}
    </Choices>
  )
}
