import { useState } from 'react'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { Download } from 'lucide-react'
import { drawQrPath } from '@vidimus/qr-code'
import type { VerificationLink } from '@vidimus/contract'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { useOperationMutation, useOperationQuery } from '../api/queries.ts'
import { useEnvironment, usePermission } from '../shell/shell-context.ts'
import { TemplateLink } from '../templates/template-name.tsx'
import { useTexts } from '../texts/texts-context.ts'
import { BackLink } from '../ui/back-link.tsx'
import { Button, buttonClasses } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { FormDialog } from '../ui/dialog.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { Card, Fact, Facts, Page } from '../ui/page.tsx'
import { QrCode } from '../ui/qr-code.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { Time } from '../ui/time.tsx'
import { useToast } from '../ui/toast.tsx'
import { LinkForm } from './link-form.tsx'
import { LinkStateBadge } from './state-badge.tsx'

type LinkProps = { link: VerificationLink }

/** One link: its address and QR code to hand out, what it asks, and the way to its verifications. */
export function LinkPage() {
  const text = useTexts().links
  const { environment, id } = useParams({ from: '/shell/$environment/links/$id' })
  const detail = useOperationQuery('getLink', { params: { environment, id } })
  const canManage = usePermission('manage_links')
  const { data } = detail
  return (
    <Page
      title={data?.name ?? text.link}
      description={<BackLink to="links" label={text.detail.back} />}
      actions={canManage && data !== undefined && <Actions link={data} />}
    >
      {detail.error !== null && <ErrorMessage error={detail.error} retry={() => void detail.refetch()} />}
      {detail.isPending && <SkeletonRows rows={6} />}
      {data !== undefined && (
        <div className="grid items-start gap-6 xl:grid-cols-[1fr_20rem]">
          <Settings link={data} />
          <Code link={data} />
        </div>
      )}
    </Page>
  )
}

function Actions({ link }: LinkProps) {
  const { detail: text, remove } = useTexts().links
  const environment = useEnvironment()
  const change = useOperationMutation('changeLink', ['getLink', 'listLinks'])
  const showToast = useToast()
  const [dialog, setDialog] = useState<'edit' | 'remove'>()
  const close = () => setDialog(undefined)
  const { id, active } = link
  return (
    <>
      <Button onClick={() => setDialog('edit')}>{text.edit}</Button>
      <Button
        busy={change.isPending}
        onClick={() =>
          change.mutate(
            { params: { environment, id }, json: { active: !active } },
            { onSuccess: () => showToast(active ? text.deactivated : text.activated) },
          )
        }
      >
        {active ? text.deactivate : text.activate}
      </Button>
      <Button onClick={() => setDialog('remove')}>{remove.button}</Button>
      {change.error !== null && <ErrorMessage error={change.error} inline />}
      {dialog === 'edit' && <LinkForm link={link} onClose={close} onSaved={close} />}
      {dialog === 'remove' && <DeleteLink link={link} onClose={close} />}
    </>
  )
}

function Settings({ link }: LinkProps) {
  const { links: text, common } = useTexts()
  const { form, detail } = text
  const { id, url, environment } = link
  return (
    <Card>
      <div className="grid gap-5">
        <div>
          <LinkStateBadge state={link.state} />
        </div>
        <Facts>
          <Fact name={detail.address}>
            <span className="flex items-center gap-1">
              <code className="break-all">{url}</code>
              <CopyButton text={url} label={detail.copy} />
            </span>
            <p className="mt-1 text-soft">{detail.ref_hint}</p>
          </Fact>
          <Fact name={common.template}>
            <TemplateLink templateKey={link.template} />
          </Fact>
          <Fact name={text.kind}>{text.kinds[link.single_use ? 'single_use' : 'reusable']}</Fact>
          {link.purpose !== undefined && <Fact name={form.purpose}>{link.purpose}</Fact>}
          <Fact name={text.today}>
            {fillIn(text.today_of, { created: link.created_today, limit: link.daily_limit })}
          </Fact>
          <Fact name={form.expires}>
            {link.expires_at === undefined ? detail.never : <Time at={link.expires_at} form="exact" />}
          </Fact>
          {link.used_at !== undefined && (
            <Fact name={detail.used}>
              <Time at={link.used_at} form="exact" />
            </Fact>
          )}
          {link.redirect_url !== undefined && (
            <Fact name={form.redirect}>
              <code className="break-all">{link.redirect_url}</code>
            </Fact>
          )}
          <Fact name={form.mail}>{detail.mails[link.mail_results ? 'yes' : 'no']}</Fact>
          <Fact name={common.created}>
            <Time at={link.created_at} form="exact" />
          </Fact>
        </Facts>
        <Link
          to="/$environment/verifications"
          params={{ environment }}
          search={{ metadata: `link_id=${id}` }}
          className="w-fit text-sm text-accent underline-offset-4 hover:underline"
        >
          {detail.results}
        </Link>
      </div>
    </Card>
  )
}

function Code({ link: { url, name } }: LinkProps) {
  const text = useTexts().links.detail
  const { size, path } = drawQrPath(url)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path d="M0 0h${size}v${size}H0z" fill="#fff"/><path d="${path}"/></svg>`
  return (
    <Card>
      <div className="grid gap-4">
        <div className="mx-auto w-full max-w-64">
          <QrCode text={url} label={text.qr_code} />
        </div>
        <a
          href={`data:image/svg+xml,${encodeURIComponent(svg)}`}
          download={`${name.replaceAll(/[^\p{L}\p{N}]+/gu, '-')}.svg`}
          className={buttonClasses('secondary')}
        >
          <Download className="size-4" aria-hidden /> {text.download}
        </a>
        <p className="text-sm text-soft">{text.download_hint}</p>
      </div>
    </Card>
  )
}

/** Leads back to the list, because the page of the link is gone afterwards. */
function DeleteLink({ link: { id, name }, onClose }: LinkProps & { onClose: () => void }) {
  const text = useTexts().links.remove
  const environment = useEnvironment()
  const remove = useOperationMutation('deleteLink', ['listLinks'])
  const navigate = useNavigate()
  const showToast = useToast()
  return (
    <FormDialog
      open
      onClose={onClose}
      title={fillIn(text.title, { name })}
      description={text.description}
      submit={text.submit}
      variant="danger"
      busy={remove.isPending}
      error={remove.error}
      onSubmit={() =>
        remove.mutate(
          { params: { environment, id } },
          {
            onSuccess: () => {
              showToast(fillIn(text.done, { name }))
              void navigate({ to: '/$environment/links', params: { environment } })
            },
          },
        )
      }
    />
  )
}
