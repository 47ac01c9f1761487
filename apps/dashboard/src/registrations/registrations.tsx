import { useState } from 'react'
import { Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import type { Registration } from '@vidimus/contract'
import { useOperationQuery } from '../api/queries.ts'
import { useEnvironment, usePermission } from '../shell/shell-context.ts'
import type { Texts } from '../texts/languages.ts'
import { TemplateLink } from '../templates/template-name.tsx'
import { useTexts } from '../texts/texts-context.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { Page } from '../ui/page.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { Table, type Column } from '../ui/table.tsx'
import { AddRegistration } from './add-registration.tsx'
import { Expiry } from './expiry.tsx'
import { RegistrationSettingsForm } from './registration-settings-form.tsx'
import { StateBadge } from './state-badge.tsx'

/** What the tenant is registered to ask wallets for. */
export function Registrations() {
  const texts = useTexts()
  const text = texts.registrations
  const canManage = usePermission('manage_settings')
  const registrations = useOperationQuery('listRegistrations', {})
  const [adding, setAdding] = useState(false)
  const { data } = registrations
  const add = canManage && (data === undefined || data.data.length < data.limit) && (
    <Button variant="primary" icon={<Plus className="size-4" aria-hidden />} onClick={() => setAdding(true)}>
      {text.add}
    </Button>
  )
  return (
    <Page title={text.title} description={text.description} actions={add}>
      {registrations.error !== null && (
        <ErrorMessage error={registrations.error} retry={() => void registrations.refetch()} />
      )}
      {registrations.isPending && <SkeletonRows rows={3} />}
      {data !== undefined && (
        <div className="grid gap-6">
          {data.data.length === 0 ? (
            <EmptyState title={text.empty.title} action={add}>
              <p>{text.empty.what}</p>
              <p>{text.empty.without}</p>
              <p>
                <a href="/docs/guides/going-live" className="text-accent underline underline-offset-4">
                  {text.empty.guide}
                </a>
              </p>
            </EmptyState>
          ) : (
            <Table caption={text.caption} rows={data.data} rowKey={({ id }) => id} columns={columns(texts)} />
          )}
          <RegistrationSettingsForm settings={data.settings} canManage={canManage} />
        </div>
      )}
      {adding && <AddRegistration isFirst={data?.data.length === 0} onClose={() => setAdding(false)} />}
    </Page>
  )
}

function columns({ registrations: text }: Texts): Column<Registration>[] {
  return [
    {
      title: text.registration,
      rowHeader: true,
      cell: (registration) => <NameCell registration={registration} />,
    },
    { title: text.state, cell: ({ state }) => <StateBadge state={state} /> },
    { title: text.valid_until, cell: ({ expires_at }) => <Expiry at={expires_at} /> },
    {
      title: text.templates,
      cell: ({ templates, default: isDefault }) => (
        <span className="grid gap-0.5 break-words">
          {templates.map((key) => (
            <TemplateLink key={key} templateKey={key} />
          ))}
          {isDefault && <span className="text-soft">{text.all_others}</span>}
          {!isDefault && templates.length === 0 && <span className="text-soft">{text.no_templates}</span>}
        </span>
      ),
    },
  ]
}

function NameCell({
  registration: { id, name, default: isDefault, identifier, intended_use },
}: {
  registration: Registration
}) {
  const text = useTexts().registrations
  const environment = useEnvironment()
  return (
    <span className="grid justify-items-start gap-0.5">
      <span className="flex flex-wrap items-center gap-2">
        <Link
          to="/$environment/registrations/$id"
          params={{ environment, id }}
          className="font-medium break-words text-accent hover:underline"
        >
          {name}
        </Link>
        {isDefault && <Badge tone="accent">{text.default}</Badge>}
      </span>
      <span className="text-xs break-all text-soft">
        {[identifier, intended_use].filter((part) => part !== undefined).join(' · ')}
      </span>
    </span>
  )
}
