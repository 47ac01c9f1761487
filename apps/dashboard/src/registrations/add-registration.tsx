import { useEffect, useRef, useState, type ChangeEvent } from 'react'
import { useNavigate } from '@tanstack/react-router'
import type { RegistrationPreview } from '@vidimus/contract'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { useOperationMutation } from '../api/queries.ts'
import { useEnvironment } from '../shell/shell-context.ts'
import { useTexts } from '../texts/texts-context.ts'
import { classes } from '../ui/classes.ts'
import { FormDialog } from '../ui/dialog.tsx'
import { ChoiceField, TextArea, TextField } from '../ui/field.tsx'
import { useToast } from '../ui/toast.tsx'
import { Findings } from './findings.tsx'
import { RegisteredUseFacts } from './registered-use.tsx'

const maxFile_kB = 32

type AddRegistrationProps = { isFirst: boolean; onClose: () => void }

/** Two steps: what the check found is shown before the registration is added. */
export function AddRegistration({ isFirst, onClose }: AddRegistrationProps) {
  const text = useTexts().registrations.form
  const environment = useEnvironment()
  const check = useOperationMutation('readRegistration')
  const add = useOperationMutation('addRegistration', ['listRegistrations', 'getTemplate', 'getOverview'])
  const navigate = useNavigate()
  const showToast = useToast()
  const [certificate, setCertificate] = useState('')
  const [dataset, setDataset] = useState('')
  const [name, setName] = useState('')
  const [makeDefault, setMakeDefault] = useState(isFirst)
  const [submitted, setSubmitted] = useState(false)
  const [fileError, setFileError] = useState<string>()
  const [preview, setPreview] = useState<RegistrationPreview>()
  const isMissing = certificate.trim() === ''
  const readFile = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0]
    if (file === undefined) return
    const isTooLarge = file.size > maxFile_kB * 1024
    const size = Math.ceil(file.size / 1024)
    setFileError(isTooLarge ? fillIn(text.file_too_large, { size, max: maxFile_kB }) : undefined)
    if (isTooLarge) return
    setPreview(undefined)
    void file.text().then((content) => setCertificate(content.trim()))
  }
  const submit = () => {
    setSubmitted(true)
    if (isMissing) return
    const input = {
      certificate: certificate.trim(),
      ...(dataset.trim() !== '' && { dataset: dataset.trim() }),
    }
    if (preview?.accepted !== true) {
      check.mutate({ json: input }, { onSuccess: setPreview })
      return
    }
    const json = { ...input, default: makeDefault, ...(name.trim() !== '' && { name: name.trim() }) }
    add.mutate(
      { json },
      {
        onSuccess: ({ id }) => {
          showToast(text.added)
          void navigate({ to: '/$environment/registrations/$id', params: { environment, id } })
        },
      },
    )
  }
  return (
    <FormDialog
      open
      persistent
      wide
      onClose={onClose}
      title={text.title}
      description={text.description}
      submit={preview?.accepted === true ? text.submit : text.check}
      onSubmit={submit}
      busy={check.isPending || add.isPending}
      error={preview === undefined ? check.error : add.error}
    >
      <TextArea
        label={text.certificate}
        hint={text.certificate_hint}
        rows={5}
        value={certificate}
        onChange={({ target }) => {
          setCertificate(target.value)
          setPreview(undefined)
        }}
        error={submitted && isMissing ? text.certificate_missing : undefined}
      />
      <TextField label={text.certificate_file} type="file" error={fileError} onChange={readFile} />
      <TextArea
        label={text.dataset}
        hint={text.dataset_hint}
        rows={3}
        value={dataset}
        onChange={({ target }) => {
          setDataset(target.value)
          setPreview(undefined)
        }}
      />
      <TextField
        label={text.name}
        hint={text.name_hint}
        maxLength={64}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      {!isFirst && (
        <ChoiceField
          label={text.make_default}
          checked={makeDefault}
          onChange={({ target }) => setMakeDefault(target.checked)}
        />
      )}
      {preview !== undefined && <Preview preview={preview} />}
    </FormDialog>
  )
}

function Preview({ preview: { accepted, findings, use } }: { preview: RegistrationPreview }) {
  const text = useTexts().registrations.form
  const result = useRef<HTMLDivElement>(null)
  // It appears below the fields, out of view in a small window.
  useEffect(() => {
    result.current?.scrollIntoView({ block: 'start' })
  }, [])
  return (
    <div ref={result} className="grid scroll-mt-4 gap-4">
      <p
        role="status"
        className={classes(
          'rounded-md px-4 py-3 text-sm font-medium',
          accepted ? 'bg-good-tint text-good' : 'bg-bad-tint text-bad',
        )}
      >
        {accepted ? text.accepted : text.refused}
      </p>
      <Findings findings={findings} />
      {use !== undefined && <RegisteredUseFacts use={use} />}
    </div>
  )
}
