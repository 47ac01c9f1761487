import { useState } from 'react'
import { useParams } from '@tanstack/react-router'
import { RefreshCw, Trash2 } from 'lucide-react'
import type { RegistrationDetail } from '@vidimus/contract'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { useOperationMutation, useOperationQuery } from '../api/queries.ts'
import { usePermission } from '../shell/shell-context.ts'
import { Sentence } from '../texts/sentence.tsx'
import { TemplateLink } from '../templates/template-name.tsx'
import { useTexts } from '../texts/texts-context.ts'
import { BackLink } from '../ui/back-link.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { ChangeDialog } from '../ui/change-dialog.tsx'
import { CodeBlock } from '../ui/copyable.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { Card, Page } from '../ui/page.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { Time } from '../ui/time.tsx'
import { useToast } from '../ui/toast.tsx'
import { Coverage } from './coverage.tsx'
import { Findings } from './findings.tsx'
import { RegisteredUseFacts } from './registered-use.tsx'
import { RemoveRegistration } from './remove-registration.tsx'
import { StateBadge } from './state-badge.tsx'

type RegistrationProps = { registration: RegistrationDetail }

/** One registration: who, for what, what each check found, and which templates ask under it. */
export function RegistrationPage() {
  const text = useTexts().registrations
  const { id } = useParams({ from: '/shell/$environment/registrations/$id' })
  const detail = useOperationQuery('getRegistration', { params: { id } })
  const canManage = usePermission('manage_settings')
  const { data } = detail
  return (
    <Page
      title={data?.name ?? text.registration}
      description={<BackLink to="registrations" label={text.detail.back} />}
      actions={canManage && data !== undefined && <Actions registration={data} />}
    >
      {detail.error !== null && <ErrorMessage error={detail.error} retry={() => void detail.refetch()} />}
      {detail.isPending && <SkeletonRows rows={6} />}
      {data !== undefined && (
        <div className="grid items-start gap-6 xl:grid-cols-[1fr_24rem]">
          <div className="grid min-w-0 gap-6">
            <Use registration={data} />
            <Card title={text.detail.sent} description={text.detail.sent_description}>
              <CodeBlock text={data.verifier_info} label={text.detail.copy_sent} />
            </Card>
          </div>
          <div className="grid min-w-0 gap-6">
            <Checks registration={data} />
            <UsedBy registration={data} />
          </div>
        </div>
      )}
    </Page>
  )
}

function Actions({ registration: { id, name, default: isDefault, templates } }: RegistrationProps) {
  const text = useTexts().registrations
  const check = useOperationMutation('checkRegistration', ['getRegistration', 'listRegistrations'])
  const showToast = useToast()
  const [openDialog, setOpenDialog] = useState<'default' | 'remove'>()
  const close = () => setOpenDialog(undefined)
  return (
    <>
      <Button
        icon={<RefreshCw className="size-4" aria-hidden />}
        busy={check.isPending}
        onClick={() =>
          check.mutate({ params: { id } }, { onSuccess: () => showToast(text.check_again.done) })
        }
      >
        {text.check_again.button}
      </Button>
      {!isDefault && <Button onClick={() => setOpenDialog('default')}>{text.make_default.button}</Button>}
      <Button icon={<Trash2 className="size-4" aria-hidden />} onClick={() => setOpenDialog('remove')}>
        {text.remove.button}
      </Button>
      {check.error !== null && <ErrorMessage error={check.error} inline />}
      {openDialog === 'default' && (
        <ChangeDialog
          op="changeRegistration"
          input={{ params: { id }, json: { default: true } }}
          invalidates={['getRegistration', 'listRegistrations', 'getTemplate', 'getOverview']}
          successMessage={fillIn(text.make_default.done, { name })}
          title={fillIn(text.make_default.title, { name })}
          description={text.make_default.description}
          submit={text.make_default.submit}
          onClose={close}
        />
      )}
      {openDialog === 'remove' && (
        <RemoveRegistration id={id} name={name} templates={templates} onClose={close} />
      )}
    </>
  )
}

function Use({ registration: { state, default: isDefault, use } }: RegistrationProps) {
  const text = useTexts().registrations
  return (
    <>
      <Card title={text.detail.who}>
        <div className="grid gap-5">
          <div className="flex flex-wrap gap-2">
            <StateBadge state={state} />
            {isDefault && <Badge tone="accent">{text.default}</Badge>}
          </div>
          <RegisteredUseFacts use={use} />
        </div>
      </Card>
      <Card title={text.detail.covers} description={text.detail.covers_description}>
        <Coverage credentials={use.credentials} />
      </Card>
    </>
  )
}

function Checks({ registration: { findings, checked_at } }: RegistrationProps) {
  const text = useTexts().registrations.detail
  return (
    <Card title={text.checks} description={text.checks_description}>
      <Findings findings={findings} />
      {checked_at !== undefined && (
        <p className="mt-4 text-sm text-soft">
          <Sentence text={text.checked} values={{ at: <Time at={checked_at} form="relative" /> }} />
        </p>
      )}
    </Card>
  )
}

function UsedBy({ registration: { templates, default: isDefault } }: RegistrationProps) {
  const text = useTexts().registrations.detail
  return (
    <Card title={text.used_by} description={text.used_by_description}>
      <ul className="grid gap-1.5 text-sm">
        {templates.map((key) => (
          <li key={key}>
            <TemplateLink templateKey={key} />
          </li>
        ))}
        {isDefault && <li>{text.used_by_default}</li>}
        {!isDefault && templates.length === 0 && <li className="text-soft">{text.used_by_none}</li>}
      </ul>
    </Card>
  )
}
