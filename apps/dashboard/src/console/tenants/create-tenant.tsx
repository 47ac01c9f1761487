import { useState } from 'react'
import type { CreatedOperatorTenant } from '@vidimus/contract'
import { useNavigate } from '@tanstack/react-router'
import { Sentence } from '../../texts/sentence.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { SecretDialog } from '../../ui/secret-dialog.tsx'
import { useOperationMutation, useOperationQuery } from '../api.ts'
import { useConsoleTexts } from '../texts/console-texts.ts'
import { isEmail, omitEmpty, ReasonField } from './form-parts.tsx'

/** Creates a tenant and invites its owner. What is shown afterwards is shown once. */
export function CreateTenant({ onClose }: { onClose: () => void }) {
  const text = useConsoleTexts().tenants.create
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [plan, setPlan] = useState('')
  const [externalId, setExternalId] = useState('')
  const [reason, setReason] = useState('')
  const [submitted, setSubmitted] = useState(false)
  const plans = useOperationQuery('listPlans', {})
  const create = useOperationMutation('createTenant', ['listTenants', 'listLog'])
  if (create.data !== undefined) return <Created created={create.data} onClose={onClose} />
  const trimmedName = name.trim()
  const emailIsValid = email.trim() === '' || isEmail(email)
  return (
    <FormDialog
      open
      persistent
      onClose={onClose}
      title={text.title}
      submit={text.submit}
      busy={create.isPending}
      error={create.error}
      onSubmit={() => {
        setSubmitted(true)
        if (trimmedName === '' || !emailIsValid) return
        const chosen = omitEmpty({ plan, external_id: externalId, owner_email: email, reason })
        create.mutate({ json: { name: trimmedName, ...chosen } })
      }}
    >
      <TextField
        label={text.name}
        hint={text.name_hint}
        maxLength={200}
        value={name}
        onChange={({ target }) => setName(target.value)}
        error={submitted && trimmedName === '' ? text.name_missing : undefined}
      />
      <TextField
        label={text.owner_email}
        hint={text.owner_email_hint}
        type="email"
        value={email}
        onChange={({ target }) => setEmail(target.value)}
        error={submitted && !emailIsValid ? text.email_invalid : undefined}
      />
      <SelectField label={text.plan} value={plan} onChange={({ target }) => setPlan(target.value)}>
        <option value="">{text.default_plan}</option>
        {plans.data?.data
          .filter(({ by_default }) => !by_default)
          .map((each) => (
            <option key={each.name} value={each.name}>
              {each.name}
            </option>
          ))}
      </SelectField>
      <TextField
        label={text.external_id}
        hint={text.external_id_hint}
        maxLength={128}
        value={externalId}
        onChange={({ target }) => setExternalId(target.value)}
      />
      <ReasonField value={reason} onChange={setReason} />
    </FormDialog>
  )
}

function Created({ created, onClose }: { created: CreatedOperatorTenant; onClose: () => void }) {
  const text = useConsoleTexts().tenants.create
  const navigate = useNavigate()
  const { tenant, invitation, webhook_secrets: secrets } = created
  const withoutInvitation = created.created ? text.no_invitation : text.existed_description
  const close = () => {
    onClose()
    void navigate({ to: '/tenants/$id', params: { id: tenant.id } })
  }
  return (
    <SecretDialog
      secret={invitation?.link ?? tenant.id}
      onClose={close}
      title={created.created ? text.created : text.existed}
      description={
        invitation === undefined ? (
          withoutInvitation
        ) : (
          <Sentence
            text={invitation.mailed ? text.invited_by_mail : text.invited}
            values={{ email: <strong className="font-semibold text-ink">{invitation.email}</strong> }}
          />
        )
      }
      copy={invitation === undefined ? text.copy_id : text.copy_link}
      copied={text.copied}
    >
      {secrets !== undefined && (
        <details>
          <summary className="w-fit cursor-pointer rounded-sm text-sm font-medium">
            {text.webhook_secrets}
          </summary>
          <div className="mt-3 grid gap-2">
            <p className="text-sm text-soft">{text.webhook_secrets_hint}</p>
            <Copyable text={secrets.test} label={text.copy_test_secret} />
            <Copyable text={secrets.live} label={text.copy_live_secret} />
          </div>
        </details>
      )}
    </SecretDialog>
  )
}
