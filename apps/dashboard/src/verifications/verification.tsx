import type { StoredMember } from '@vidimus/contract'
import { useState } from 'react'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import type { OperationOutput } from '../api/call.ts'
import { useOperationQuery } from '../api/queries.ts'
import { useEnvironment, usePermission } from '../shell/shell-context.ts'
import { useFormats, useTexts } from '../texts/texts-context.ts'
import { TemplateLink } from '../templates/template-name.tsx'
import { BackLink } from '../ui/back-link.tsx'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { Card, Fact, Facts, Page } from '../ui/page.tsx'
import { QrCode } from '../ui/qr-code.tsx'
import { CodeBlock } from '../ui/copyable.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { Time } from '../ui/time.tsx'
import { Claims } from './claims.tsx'
import { Credentials } from './credentials.tsx'
import { EraseVerification } from './erase-verification.tsx'
import { StatusBadge } from './status-badge.tsx'
import { failureLabel, timelineText } from './labels.ts'

type Detail = OperationOutput<'getVerification'>
type SessionRegistration = NonNullable<Detail['registration']>

export function VerificationDetail() {
  const text = useTexts().verifications
  const { environment, id } = useParams({ from: '/shell/$environment/verifications/$id' })
  const filter = useSearch({ from: '/shell/$environment/verifications/$id' })
  const detail = useOperationQuery('getVerification', { params: { environment, id } })
  const canErase = usePermission('erase_verifications')
  const [erasing, setErasing] = useState(false)
  const { data } = detail
  return (
    <Page
      title={text.detail.title}
      description={<BackLink to="verifications" label={text.detail.back} search={filter} />}
      actions={
        canErase &&
        data !== undefined && (
          <Button icon={<Trash2 className="size-4" aria-hidden />} onClick={() => setErasing(true)}>
            {text.erase.button}
          </Button>
        )
      }
    >
      {detail.error !== null && <ErrorMessage error={detail.error} retry={() => void detail.refetch()} />}
      {detail.isPending && <SkeletonRows rows={6} />}
      {data !== undefined && (
        <div className="grid items-start gap-6 xl:grid-cols-[1fr_20rem]">
          <div className="grid min-w-0 gap-6">
            <VerificationSummary detail={data} />
            {data.claim_names.length > 0 && <Claims detail={data} environment={environment} />}
            <Credentials credentials={data.credentials} />
            {data.query !== undefined && (
              <Card title={text.detail.query} description={text.detail.query_description}>
                <CodeBlock text={JSON.stringify(data.query, undefined, 2)} label={text.detail.copy_query} />
              </Card>
            )}
          </div>
          <div className="grid gap-3">
            <Timeline events={data.timeline} />
            <Link
              to="/$environment/requests"
              params={{ environment }}
              search={{ verification_id: id }}
              className="w-fit text-sm text-accent underline-offset-4 hover:underline"
            >
              {text.detail.requests}
            </Link>
            {(data.status === 'completed' || data.status === 'failed') && (
              <Link
                to="/$environment/verifications/$id/receipt"
                params={{ environment, id }}
                className="w-fit text-sm text-accent underline-offset-4 hover:underline"
              >
                {text.receipt.link}
              </Link>
            )}
          </div>
        </div>
      )}
      {erasing && data !== undefined && (
        <EraseVerification detail={data} environment={environment} onClose={() => setErasing(false)} />
      )}
    </Page>
  )
}

function VerificationSummary({ detail }: { detail: Detail }) {
  const { verifications, registrations, common } = useTexts()
  const text = verifications.detail
  return (
    <Card>
      <div className="grid gap-5">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <StatusBadge status={detail.status} />
          {detail.error !== undefined && (
            <strong className="font-semibold">{failureLabel(detail.error.code, verifications)}.</strong>
          )}
        </div>
        {detail.error !== undefined && (
          <p className="text-sm text-soft">
            <code>{detail.error.code}</code>: <span lang="en">{detail.error.message}</span>
          </p>
        )}
        {detail.warnings !== undefined && (
          <div className="rounded-md bg-wait-tint px-4 py-3 text-sm text-wait">
            <p>{text.warnings}</p>
            <ul lang="en" className="list-disc pl-5 break-words">
              {detail.warnings.map((warning) => (
                <li key={warning}>{warning}</li>
              ))}
            </ul>
          </div>
        )}
        {detail.withheld && (
          <p className="rounded-md bg-wait-tint px-4 py-3 text-sm text-wait">{text.withheld}</p>
        )}
        {detail.wallet_uri !== undefined && <WalletLink uri={detail.wallet_uri} />}
        <Facts>
          <Fact name={text.id}>
            <span className="flex items-center gap-1">
              <code className="break-all">{detail.id}</code>
              <CopyButton text={detail.id} label={text.copy_id} />
            </span>
          </Fact>
          <Fact name={common.template}>
            {detail.template === undefined ? (
              verifications.custom_query
            ) : (
              <TemplateLink templateKey={detail.template} />
            )}
          </Fact>
          {storedMembers(verifications.stored).map(
            (member) =>
              detail[member] !== undefined && (
                <Fact key={member} name={verifications.stored[member]}>
                  {detail[member]}
                </Fact>
              ),
          )}
          {detail.registration !== undefined && (
            <Fact name={registrations.verification.label}>
              <RegistrationName registration={detail.registration} />
            </Fact>
          )}
          {detail.confirmation_code !== undefined && (
            <Fact name={text.confirmation_code}>{detail.confirmation_code}</Fact>
          )}
          <Fact name={common.created}>
            <Time at={detail.created_at} form="exact" utc />
          </Fact>
          {detail.status === 'pending' && (
            <Fact name={text.expires}>
              <Time at={detail.expires_at} form="exact" />
            </Fact>
          )}
          {detail.metadata !== undefined && Object.keys(detail.metadata).length > 0 && (
            <Fact name={text.metadata}>
              {Object.entries(detail.metadata).map(([name, value]) => (
                <span key={name} className="block">
                  <code>{name}</code>: {value}
                </span>
              ))}
            </Fact>
          )}
          {detail.webhook_url !== undefined && (
            <Fact name={text.webhook}>
              <code className="break-all">{detail.webhook_url}</code>
            </Fact>
          )}
          {detail.purge_day !== undefined && (
            <Fact name={text.kept_until}>
              <Time at={detail.purge_day} form="day" />
            </Fact>
          )}
        </Facts>
      </div>
    </Card>
  )
}

function storedMembers(texts: Record<StoredMember, string>): StoredMember[] {
  // The keys of the texts are exactly those of their type.
  return Object.keys(texts) as StoredMember[]
}

/** The registration that a verification was asked under, unless it has been removed since. */
function RegistrationName({ registration: { id, name } }: { registration: SessionRegistration }) {
  const text = useTexts().registrations.verification
  const environment = useEnvironment()
  if (id === undefined) return <span className="text-soft">{text.removed}</span>
  return (
    <Link
      to="/$environment/registrations/$id"
      params={{ environment, id }}
      className="text-accent underline-offset-4 hover:underline"
    >
      {name}
    </Link>
  )
}

function WalletLink({ uri }: { uri: string }) {
  const text = useTexts().verifications.detail
  return (
    <div className="flex flex-wrap items-center gap-5">
      <div className="w-44">
        <QrCode text={uri} label={text.qr_code} />
      </div>
      <div className="grid gap-3">
        <p className="max-w-60 text-sm text-soft">{text.scan}</p>
        <CopyButton text={uri} label={text.copy_wallet_link} wide />
      </div>
    </div>
  )
}

function Timeline({ events }: { events: Detail['timeline'] }) {
  const text = useTexts().verifications
  const formats = useFormats()
  return (
    <Card title={text.detail.timeline}>
      <ol className="grid gap-4 border-l border-line pl-4 text-sm">
        {events.map((event, index) => (
          <li key={index} className="relative">
            <span
              aria-hidden
              className="absolute top-1.5 -left-[1.28rem] size-2 rounded-full bg-edge ring-4 ring-surface"
            />
            <p>{timelineText(event, text, formats)}</p>
            <p className="text-xs text-soft">
              <Time at={event.at} form="exact" />
            </p>
          </li>
        ))}
      </ol>
    </Card>
  )
}
