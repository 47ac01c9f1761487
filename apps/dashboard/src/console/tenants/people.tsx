import { useState } from 'react'
import { Link } from '@tanstack/react-router'
import { UserPlus } from 'lucide-react'
import type { OperatorTenantDetail } from '@vidimus/contract'
import { Sentence } from '../../texts/sentence.tsx'
import { useFormats } from '../../texts/texts-context.ts'
import { Button, buttonClasses } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Card, Fact, Facts } from '../../ui/page.tsx'
import { SecretDialog } from '../../ui/secret-dialog.tsx'
import { LastTime } from '../../ui/time.tsx'
import { useOperationMutation } from '../api.ts'
import { usePermission } from '../shell/console-context.ts'
import { useConsoleTexts } from '../texts/console-texts.ts'
import { isEmail, omitEmpty, ReasonField } from './form-parts.tsx'
import { SupportAccess } from './support-access.tsx'

/** Who has access to the tenant. */
export function People({ tenant }: { tenant: OperatorTenantDetail }) {
  const { tenant: page, support } = useConsoleTexts()
  const text = page.people
  const formats = useFormats()
  const canManage = usePermission('manage_tenants')
  const canSupport = usePermission('support_tenants')
  const [inviting, setInviting] = useState(false)
  return (
    <Card
      title={text.title}
      actions={
        canManage && (
          <Button
            size="small"
            icon={<UserPlus className="size-4" aria-hidden />}
            onClick={() => setInviting(true)}
          >
            {page.invite.title}
          </Button>
        )
      }
    >
      <Facts>
        <Fact name={text.owners}>
          {tenant.owners.length === 0 ? (
            <span className="text-soft">{text.no_owner}</span>
          ) : (
            <ul className="grid gap-2">
              {tenant.owners.map(({ name, email, last_seen_at }) => (
                <li key={email}>
                  <span className="font-medium">{name}</span>
                  <span className="block text-soft">{email}</span>
                  <span className="block text-xs text-soft">
                    <Sentence text={text.last_seen} values={{ at: <LastTime at={last_seen_at} /> }} />
                  </span>
                </li>
              ))}
            </ul>
          )}
        </Fact>
        <Fact name={text.members}>
          <span className="tabular">{formats.integer(tenant.members)}</span>
        </Fact>
        <Fact name={text.keys}>
          <span className="tabular">{formats.integer(tenant.usable_keys)}</span>
        </Fact>
        <Fact name={text.last_active}>
          <LastTime at={tenant.last_active_at} />
        </Fact>
        {canSupport && (
          <Fact name={page.support.title}>
            <SupportAccess
              tenant_id={tenant.id}
              name={tenant.name}
              look={
                <Link
                  to="/tenants/$id/support"
                  params={{ id: tenant.id }}
                  className={buttonClasses('primary', 'small')}
                >
                  {support.link}
                </Link>
              }
            />
          </Fact>
        )}
      </Facts>
      {inviting && <InviteOwner tenant={tenant} onClose={() => setInviting(false)} />}
    </Card>
  )
}

function InviteOwner({ tenant: { id }, onClose }: { tenant: OperatorTenantDetail; onClose: () => void }) {
  const text = useConsoleTexts().tenant.invite
  const [email, setEmail] = useState('')
  const [reason, setReason] = useState('')
  const [submitted, setSubmitted] = useState(false)
  const invite = useOperationMutation('inviteOwner', ['getTenant', 'listLog'])
  if (invite.data !== undefined) {
    const { email: invited, link, mailed } = invite.data
    return (
      <SecretDialog
        secret={link}
        onClose={onClose}
        title={text.link_title}
        description={
          <Sentence
            text={mailed ? text.link_mailed : text.link_description}
            values={{ email: <strong className="font-semibold text-ink">{invited}</strong> }}
          />
        }
        copy={text.copy_link}
        copied={text.copied}
      />
    )
  }
  return (
    <FormDialog
      open
      persistent
      onClose={onClose}
      title={text.title}
      description={text.description}
      submit={text.submit}
      busy={invite.isPending}
      error={invite.error}
      onSubmit={() => {
        setSubmitted(true)
        if (isEmail(email))
          invite.mutate({ params: { id }, json: { email: email.trim(), ...omitEmpty({ reason }) } })
      }}
    >
      <TextField
        label={text.email}
        type="email"
        value={email}
        onChange={({ target }) => setEmail(target.value)}
        error={submitted && !isEmail(email) ? text.email_invalid : undefined}
      />
      <ReasonField value={reason} onChange={setReason} />
    </FormDialog>
  )
}
