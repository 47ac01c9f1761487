import { useState } from 'react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { SignedUp } from '@vidimus/contract'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { Page } from '../../ui/page.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Table, type Column } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { call } from '../api.ts'
import { usePermission } from '../shell/console-context.ts'
import { PageForRole } from '../shell/not-for-role.tsx'
import { useConsoleTexts, type ConsoleTexts } from '../texts/console-texts.ts'
import { ApproveTenant, RefuseTenant } from './decide.tsx'

/** Tenants that opened their account by themselves and wait for a decision. */
export function SignUps() {
  const text = useConsoleTexts().sign_ups
  return (
    <PageForRole permission="read_tenants" text={text}>
      <SignUpList />
    </PageForRole>
  )
}

type Decision = { kind: 'approve' | 'refuse'; signedUp: SignedUp }

function SignUpList() {
  const { sign_ups: text } = useConsoleTexts()
  const canManage = usePermission('manage_tenants')
  const [decision, setDecision] = useState<Decision>()
  const list = useInfiniteQuery({
    queryKey: ['listSignUps', 'all'],
    queryFn: ({ pageParam, signal }) => call('listSignUps', { query: { after: pageParam } }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  })
  const rows = list.data?.pages.flatMap(({ data }) => data)
  const mode = list.data?.pages[0]?.mode
  const close = () => setDecision(undefined)
  return (
    <Page title={text.title} description={mode === undefined ? text.description : text.modes[mode]}>
      <div className="grid gap-4">
        {list.error !== null && <ErrorMessage error={list.error} retry={() => void list.refetch()} />}
        {list.isPending && <SkeletonRows rows={3} />}
        {rows?.length === 0 && (
          <EmptyState title={text.empty_title}>
            <p>{text.empty_text}</p>
          </EmptyState>
        )}
        {rows !== undefined && rows.length > 0 && (
          <Table
            caption={text.caption}
            rows={rows}
            rowKey={({ tenant }) => tenant.id}
            columns={columns(text, canManage ? setDecision : undefined)}
          />
        )}
        <LoadMore query={list} label={text.load_more} />
      </div>
      {decision?.kind === 'approve' && <ApproveTenant signedUp={decision.signedUp} onClose={close} />}
      {decision?.kind === 'refuse' && <RefuseTenant signedUp={decision.signedUp} onClose={close} />}
    </Page>
  )
}

const tones: Record<SignedUp['approval'], Tone> = {
  approved: 'good',
  pending: 'wait',
  waiting: 'wait',
  refused: 'plain',
}

function columns(
  text: ConsoleTexts['sign_ups'],
  decide: ((decision: Decision) => void) | undefined,
): Column<SignedUp>[] {
  return [
    {
      title: text.tenant,
      rowHeader: true,
      cell: ({ tenant: { id, name } }) => (
        <Link to="/tenants/$id" params={{ id }} className="font-semibold underline-offset-4 hover:underline">
          {name}
        </Link>
      ),
    },
    { title: text.email, cell: ({ email = '–' }) => email },
    {
      title: text.approval,
      cell: ({ approval }) => (
        <Badge tone={tones[approval]} dot>
          {text.approvals[approval]}
        </Badge>
      ),
    },
    { title: text.signed_up, cell: ({ signed_up_at }) => <Time at={signed_up_at} /> },
    {
      title: '',
      end: true,
      cell: (signedUp) =>
        decide !== undefined && (
          <span className="inline-flex gap-1.5">
            <Button
              size="small"
              onClick={() => decide({ kind: 'approve', signedUp })}
              aria-label={fillIn(text.approve.label, { name: signedUp.tenant.name })}
            >
              {text.approve.button}
            </Button>
            <Button
              size="small"
              onClick={() => decide({ kind: 'refuse', signedUp })}
              aria-label={fillIn(text.refuse.label, { name: signedUp.tenant.name })}
            >
              {text.refuse.button}
            </Button>
          </span>
        ),
    },
  ]
}
