import { useState } from 'react'
import type { CreatedOpenIdClient, OpenIdClient } from '@vidimus/contract'
import { useOperationMutation } from '../api/queries.ts'
import { TemplateChoices } from '../devices/template-choices.tsx'
import { useEnvironment } from '../shell/shell-context.ts'
import { useTexts } from '../texts/texts-context.ts'
import { ChoiceField, ChoiceGroup, SelectField, TextArea, TextField } from '../ui/field.tsx'
import { NamedFormDialog, useNamedForm } from '../ui/named-form.tsx'
import { useToast } from '../ui/toast.tsx'

type Algorithm = OpenIdClient['id_token_algorithm']

const algorithms = ['RS256', 'ES256'] as const satisfies readonly Algorithm[]
const authentications = ['secret', 'none'] as const satisfies readonly OpenIdClient['authentication'][]

/** Creates a client, or edits one. How it authenticates is decided once. */
export function ClientForm({
  client,
  onClose,
  onCreated,
}: {
  client: OpenIdClient | undefined
  onClose: () => void
  onCreated: (created: CreatedOpenIdClient) => void
}) {
  const { openid_clients, common } = useTexts()
  const text = openid_clients.form
  const environment = useEnvironment()
  const create = useOperationMutation('createOpenIdClient', ['listOpenIdClients'])
  const change = useOperationMutation('changeOpenIdClient', ['listOpenIdClients'])
  const showToast = useToast()
  const form = useNamedForm(client)
  const [redirects, setRedirects] = useState(client?.redirect_uris.join('\n') ?? '')
  const [templates, setTemplates] = useState<readonly string[]>(client?.templates ?? [])
  const [subjectClaim, setSubjectClaim] = useState(client?.subject_claim ?? '')
  const [crossDevice, setCrossDevice] = useState(client?.cross_device ?? false)
  const [authentication, setAuthentication] = useState<OpenIdClient['authentication']>('secret')
  const [algorithm, setAlgorithm] = useState<Algorithm>(client?.id_token_algorithm ?? 'RS256')
  const [pkceRequired, setPkceRequired] = useState(client?.pkce_required ?? true)
  const hasSecret = (client?.authentication ?? authentication) === 'secret'
  const redirect_uris = redirects.split(/\s+/).filter((uri) => uri !== '')
  const redirectError = !form.submitted || redirect_uris.length > 0 ? undefined : text.redirects_missing
  const submit = () => {
    if (redirect_uris.length === 0 || templates.length === 0) return
    const json = {
      name: form.name,
      redirect_uris,
      templates: [...templates],
      id_token_algorithm: algorithm,
      cross_device: subjectClaim.trim() !== '' && crossDevice,
      pkce_required: !hasSecret || pkceRequired,
    }
    const claim = subjectClaim.trim()
    if (client === undefined)
      create.mutate(
        {
          params: { environment },
          json: {
            ...json,
            authentication,
            ...(form.purpose !== '' && { purpose: form.purpose }),
            ...(claim !== '' && { subject_claim: claim }),
          },
        },
        { onSuccess: onCreated },
      )
    else
      change.mutate(
        {
          params: { environment, id: client.id },
          json: { ...json, purpose: form.purpose || null, subject_claim: claim || null },
        },
        { onSuccess: () => (onClose(), showToast(text.saved)) },
      )
  }
  return (
    <NamedFormDialog
      form={form}
      text={text}
      nameLabel={common.name}
      title={client === undefined ? text.titles[environment] : text.edit_title}
      submit={client === undefined ? openid_clients.create : text.save}
      requests={[create, change]}
      onClose={onClose}
      onSubmit={submit}
      asked={
        <>
          <TextArea
            label={text.redirects}
            hint={text.redirects_hint}
            rows={3}
            value={redirects}
            onChange={({ target }) => setRedirects(target.value)}
            error={redirectError}
          />
          <TemplateChoices
            allowed={templates}
            onChange={setTemplates}
            missing={form.submitted && templates.length === 0}
            hint={text.templates_hint}
          />
        </>
      }
    >
      <TextField
        label={text.subject_claim}
        hint={text.subject_claim_hint}
        maxLength={128}
        spellCheck={false}
        value={subjectClaim}
        onChange={({ target }) => setSubjectClaim(target.value)}
      />
      {subjectClaim.trim() !== '' && (
        <ChoiceField
          label={text.cross_device}
          hint={text.cross_device_hint}
          checked={crossDevice}
          onChange={({ target }) => setCrossDevice(target.checked)}
        />
      )}
      {client === undefined && (
        <ChoiceGroup legend={text.authentication}>
          {authentications.map((each) => (
            <ChoiceField
              key={each}
              kind="radio"
              name="authentication"
              label={text.authentications[each].label}
              hint={text.authentications[each].hint}
              checked={authentication === each}
              onChange={() => setAuthentication(each)}
            />
          ))}
        </ChoiceGroup>
      )}
      {hasSecret && (
        <ChoiceField
          label={text.pkce_required}
          hint={text.pkce_required_hint}
          checked={pkceRequired}
          onChange={({ target }) => setPkceRequired(target.checked)}
        />
      )}
      <SelectField
        label={text.algorithm}
        hint={text.algorithm_hint}
        value={algorithm}
        onChange={({ target }) => setAlgorithm(target.value === 'ES256' ? 'ES256' : 'RS256')}
      >
        {algorithms.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </SelectField>
    </NamedFormDialog>
  )
}
